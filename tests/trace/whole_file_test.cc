#include "trace/whole_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/trace/scratch_folder.h"

namespace tarry {
namespace {

namespace fs = std::filesystem;

TEST(WholeFile, ASymbolicLinkStaysAndItsFileIsReplaced) {
  const testing::ScratchFolder folder;
  std::ofstream(folder.path() / "file") << "before";
  fs::create_symlink("file", folder.path() / "link");
  fs::create_symlink("later", folder.path() / "dangling");
  EXPECT_FALSE(write_whole(folder.path() / "link", "after", Existing::kReplace));
  EXPECT_FALSE(write_whole(folder.path() / "dangling", "first", Existing::kReplace));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "dangling"));
  EXPECT_EQ(*read_whole(folder.path() / "file"), "after");
  EXPECT_EQ(*read_whole(folder.path() / "later"), "first");
}

TEST(WholeFile, APipeIsWrittenTo) {
  const testing::ScratchFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_TRUE(write_whole(pipe, "nobody reads", Existing::kReplace));
  std::string read;
  std::thread reader([&] {
    std::ifstream(pipe) >> read;
  });
  while (write_whole(pipe, "text", Existing::kReplace)) std::this_thread::yield();  // until the reader is there
  reader.join();
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(WholeFile, ADeviceStaysADevice) {
  EXPECT_FALSE(write_whole("/dev/null", "text", Existing::kReplace));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const auto problem = write_whole("/dev/full", "text", Existing::kReplace);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->text, "/dev/full: error: cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

}  // namespace
}  // namespace tarry
