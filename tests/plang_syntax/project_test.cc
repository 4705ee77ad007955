#include "plang/project/project.h"

#include <gtest/gtest.h>

#include "tests/trace/scratch_folder.h"

namespace tarry::plang {
namespace {

namespace fs = std::filesystem;
using tarry::testing::ScratchFolder;

/// The files of a project, relative to the folder; "+" marks those that are included, "!" foreign sources.
std::string files_of(const Result<Project>& project, const ScratchFolder& folder) {
  if (!project) return project.error().text;
  std::string out = project->name + ":";
  for (const auto& [path, included] : project->files)
    out += (included ? " +" : " ") + path.lexically_relative(folder.path()).string();
  for (const fs::path& path : project->foreign_sources) out += " !" + path.lexically_relative(folder.path()).string();
  return out;
}

/// The text of a project file, one element a line from line 2 on.
std::string project_text(const std::string& inside) {
  return "<Project>\n<ProjectName>Demo</ProjectName>\n" + inside + "\n</Project>\n";
}

TEST(Project, FileListsFilesAndFoldersInOrder) {
  const ScratchFolder folder;
  for (const char* file : {"PSrc/b.p", "PSrc/a.p", "PSrc/deep/er/c.p", "PSrc/deep.p", "PSrc/x.txt", "PTst/t.p", "PForeign/f.cpp",
                           "PForeign/g.cc", "PForeign/h.cs"})
    folder.write(file, "");
  const fs::path file = folder.write(
      "Demo.pproj",
      project_text(
          "<InputFiles> <PFile> ./PTst/t.p </PFile> <!-- x --> <PFile>./PSrc/</PFile><PFile>PSrc/a.p</PFile>"
          "<PFile>.\\PForeign\\</PFile></InputFiles><OutputDir>./PGenerated/</OutputDir><Target>PChecker, PEx</Target>"));
  const auto project = open_project({file});
  EXPECT_EQ(files_of(project, folder),
            "Demo: PTst/t.p PSrc/a.p PSrc/b.p PSrc/deep/er/c.p PSrc/deep.p !PForeign/f.cpp !PForeign/g.cc");
  ASSERT_TRUE(project);
  EXPECT_EQ(project->root, folder.path());
  EXPECT_EQ(project->output_dir, "./PGenerated/");
  ASSERT_EQ(project->notes.size(), 1u);
  EXPECT_EQ(project->notes[0],
            (folder / "PForeign/h.cs").string() + ": note: is not used: foreign functions are written in C++ here (.cpp, .cc)");
}

TEST(Project, IncludesOthersOnceAndMarksTheirFiles) {
  const ScratchFolder folder;
  for (const char* file : {"main/m.p", "main/both.p", "lib/l.p", "far/f.p"}) folder.write(file, "");
  const fs::path file = folder.write(
      "main/M.pproj", project_text("<InputFiles><PFile>.</PFile></InputFiles><IncludeProject>../lib/L.pproj</IncludeProject>"));
  folder.write("lib/L.pproj",
               project_text("<InputFiles><PFile>l.p</PFile><PFile>../main/both.p</PFile></InputFiles>"
                            "<IncludeProject>../far/F.pproj</IncludeProject><IncludeProject>../main/M.pproj</IncludeProject>"));
  folder.write("far/F.pproj",
               "<Project><InputFiles><PFile>f.p</PFile></InputFiles><IncludeProject>../lib/L.pproj</IncludeProject></Project>");
  EXPECT_EQ(files_of(open_project({file}), folder), "Demo: main/both.p main/m.p +lib/l.p +far/f.p");
  const auto sources = read_sources(*open_project({file}));
  ASSERT_TRUE(sources);
  ASSERT_EQ(sources->size(), 4u);
  EXPECT_FALSE(sources->file(1).included);
  EXPECT_TRUE(sources->file(2).included);
  EXPECT_EQ(sources->file(2).name, (folder / "lib/l.p").string());
}

TEST(Project, IncludesAreFoundFromTheCurrentFolderToo) {
  const ScratchFolder folder;
  folder.write("main/m.p", "");
  folder.write("lib/l.p", "");
  folder.write("lib/L.pproj", project_text("<InputFiles><PFile>l.p</PFile></InputFiles>"));
  const fs::path file = folder.write(
      "main/M.pproj", project_text("<InputFiles><PFile>m.p</PFile></InputFiles><IncludeProject>lib/L.pproj</IncludeProject>"));
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const auto project = open_project({"main/M.pproj"});
  fs::current_path(before);
  ASSERT_TRUE(project) << project.error().text;
  ASSERT_EQ(project->files.size(), 2u);
  EXPECT_EQ(project->files[0].path, "main/m.p");
  EXPECT_EQ(project->files[1].path, "lib/l.p");
}

TEST(Project, MistakesAreShownWhereTheyAre) {
  const ScratchFolder folder;
  folder.write("a.p", "");
  const auto problem = [&](const std::string& text) {
    const fs::path file = folder.write("Main.pproj", text);
    const auto project = open_project({file});
    if (project) return std::string("fine");
    std::string message = project.error().text;
    for (std::size_t at = 0; (at = message.find(folder.path().string() + "/")) != std::string::npos;)
      message.erase(at, folder.path().string().size() + 1);
    return message;
  };
  EXPECT_EQ(problem(project_text("<InputFiles>\n  <PFile>a.p</PFile>\n      <PFile>b.p</PFile></InputFiles>")),
            "Main.pproj:5:7: error: no such file or folder: 'b.p'");
  EXPECT_EQ(problem(project_text("<InputFiles>\n<PFile> </PFile></InputFiles>")),
            "Main.pproj:4:1: error: <PFile> is empty: expected a file or a folder");
  EXPECT_EQ(problem("<Project>\n</Project>"), "Main.pproj:1:1: error: the project has no name: expected <ProjectName>");
  EXPECT_EQ(problem("<?xml version=\"1.0\"?>\n<Project> <ProjectName>a b</ProjectName></Project>"),
            "Main.pproj:2:11: error: 'a b' is no name for a project: expected letters, digits and '_'");
  EXPECT_EQ(problem("\xef\xbb\xbf<Project> <ProjectName>1a</ProjectName></Project>"),
            "Main.pproj:1:11: error: '1a' is no name for a project: expected letters, digits and '_'");
  EXPECT_EQ(problem(project_text("<ProjectName>x</ProjectName>")),
            "Main.pproj:3:1: error: the project has two names: expected <ProjectName> once");
  EXPECT_EQ(problem(project_text(" <IncludeProject>no.pproj</IncludeProject>")),
            "Main.pproj:3:2: error: no such project file: 'no.pproj'");
  EXPECT_EQ(problem(project_text("<IncludeProject>.</IncludeProject>")), "Main.pproj:3:1: error: no such project file: '.'");
  EXPECT_EQ(problem(project_text("")), "Main.pproj: error: names no .p file");
  EXPECT_EQ(problem("<Other/>"), "Main.pproj:1:1: error: expected <Project>, found <Other>");
  EXPECT_EQ(problem("<Project>\n <a>\n</Project>"), "Main.pproj:3:3: error: wrong XML: start-end tags mismatch");
  EXPECT_EQ(problem(""), "Main.pproj:1:1: error: wrong XML: no document element found");
  EXPECT_EQ(problem("no xml"), "Main.pproj:1:7: error: wrong XML: no document element found");
  EXPECT_EQ(problem(project_text("<InputFiles><PFile>a.p</PFile></InputFiles>")), "fine");
}

TEST(Project, HiddenFilesAndFoldersAreNotLookedAt) {
  const ScratchFolder folder;
  for (const char* file : {"PSrc/a.p", "PSrc/._a.p", "PSrc/.old/b.p", "PSrc/.x.cpp", ".git/c.p", "PSrc/._b.p", "._Demo.pproj"}) folder.write(file, "no P");
  const fs::path file = folder.write("Demo.pproj", project_text("<InputFiles><PFile>PSrc</PFile></InputFiles>"));
  const std::string note = ": note: is hidden, and not used (and 1 more): names of files in folders do not start with '.'";
  for (const auto& named : {file, folder.path()}) {
    const auto project = open_project({named});
    EXPECT_EQ(files_of(project, folder), "Demo: PSrc/a.p");
    EXPECT_EQ(project->notes, std::vector<std::string>{(folder / "PSrc/._a.p").string() + note});
  }
  folder.write("Demo.pproj", project_text("<InputFiles><PFile>PSrc/._a.p</PFile></InputFiles>"));
  EXPECT_EQ(files_of(open_project({file}), folder), "Demo: PSrc/._a.p") << "named, it is taken";
  EXPECT_EQ(files_of(open_project({folder / "PSrc/.old"}), folder), ".old: PSrc/.old/b.p");
}

TEST(Project, FoldersThatAreNotThereAreWarnedOf) {
  const ScratchFolder folder;
  folder.write("a.p", "");
  const fs::path file = folder.write("Demo.pproj", project_text("<InputFiles>\n<PFile>a.p</PFile>\n<PFile>./PForeign/</PFile><PFile>Gone.cs</PFile></InputFiles>"));
  const auto project = open_project({file});
  EXPECT_EQ(files_of(project, folder), "Demo: a.p");
  ASSERT_EQ(project->notes.size(), 2u);
  EXPECT_EQ(project->notes[0], file.string() + ":5:1: warning: no such folder: '" + (folder / "./PForeign/").string() + "'; the program goes without it");
  folder.write("Demo.pproj", project_text("<InputFiles><PFile>a.p</PFile><PFile>Spec.p</PFile></InputFiles>"));
  EXPECT_FALSE(open_project({file})) << "a file with a spec in it that is not there would be missed";
  folder.write("Demo.pproj", project_text("<InputFiles><PFile>PSrc/</PFile></InputFiles>"));
  EXPECT_FALSE(open_project({file})) << "nothing is left";
}

TEST(Project, EndingsMayBeWrittenInCapitals) {
  const ScratchFolder folder;
  folder.write("PSrc/A.P", "");
  folder.write("PSrc/b.p", "");
  const fs::path file = folder.write("DEMO.PPROJ", project_text("<InputFiles><PFile>PSrc</PFile></InputFiles>"));
  EXPECT_EQ(files_of(open_project({file}), folder), "Demo: PSrc/A.P PSrc/b.p");
  EXPECT_EQ(files_of(open_project({folder.path()}), folder), "Demo: PSrc/A.P PSrc/b.p");
  EXPECT_EQ(files_of(open_project({folder / "PSrc/A.P"}), folder), "A: PSrc/A.P");
}

TEST(Project, UnknownElementsAreNoted) {
  const ScratchFolder folder;
  folder.write("a.p", "");
  folder.write("b.txt", "");
  const auto project = open_project(
      {folder.write("M.pproj", project_text("<InputFiles><PFile>a.p</PFile><PFile>b.txt</PFile><File/></InputFiles><Inputs/>"))});
  ASSERT_TRUE(project);
  EXPECT_EQ(project->notes,
            (std::vector<std::string>{
                (folder / "b.txt").string() + ": note: is not used: it is neither a .p nor a C++ file (.cpp, .cc)",
                (folder / "M.pproj").string() + ":3:51: note: <File> is not known here and not used",
                (folder / "M.pproj").string() + ":3:71: note: <Inputs> is not known here and not used"}));
}

TEST(Project, AnyXmlIsReadOrRefused) {
  const ScratchFolder folder;
  folder.write("a.p", "");
  const std::string good = "<?xml version=\"1.0\"?>\n" + project_text("<InputFiles><PFile>a.p</PFile></InputFiles><![CDATA[x]]>");
  for (std::size_t i = 0; i < good.size(); ++i) {
    open_project({folder.write("M.pproj", good.substr(0, i))});
    std::string changed = good;
    changed[i] = static_cast<char>(i * 37);
    open_project({folder.write("M.pproj", changed)});
  }
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_FALSE(open_project({folder.write("M.pproj", deep)}));
}

TEST(Project, FolderWithOneProjectFileIsThatProject) {
  const ScratchFolder folder;
  folder.write("a.p", "");
  folder.write("b.p", "");
  folder.write("M.pproj", project_text("<InputFiles><PFile>b.p</PFile></InputFiles>"));
  EXPECT_EQ(files_of(open_project({folder.path()}), folder), "Demo: b.p");
  folder.write("L.pproj", "");
  EXPECT_EQ(files_of(open_project({folder.path()}), folder),
            folder.path().string() + ": error: has several projects: L.pproj, M.pproj; name one of them");
}

TEST(Project, FolderWithoutProjectFileIsSearchedOneLevelDown) {
  const ScratchFolder folder;
  for (const char* file : {"demo/z.p", "demo/sub/a.p", "demo/sub/deep/no.p", "demo/sub/f.cpp", "demo/other.txt"})
    folder.write(file, "");
  EXPECT_EQ(files_of(open_project({folder / "demo"}), folder), "demo: demo/sub/a.p demo/z.p !demo/sub/f.cpp");
  EXPECT_EQ(files_of(open_project({folder / "demo/"}), folder), "demo: demo/sub/a.p demo/z.p !demo/sub/f.cpp");
  fs::create_directory(folder / "empty");
  EXPECT_EQ(files_of(open_project({folder / "empty"}), folder),
            (folder / "empty").string() + ": error: has no .pproj file, and no .p file down to one level of folders");
}

TEST(Project, LinksBetweenFoldersEnd) {
  const ScratchFolder folder;
  folder.write("src/a.p", "");
  fs::create_directory_symlink(folder.path() / "src", folder.path() / "src/again");
  fs::create_symlink(folder.path() / "src/a.p", folder.path() / "src/b.p");
  const fs::path file = folder.write("M.pproj", project_text("<InputFiles><PFile>src</PFile></InputFiles>"));
  EXPECT_EQ(files_of(open_project({file}), folder), "Demo: src/a.p");
}

TEST(Project, FilesAreTakenAsNamedEachOnce) {
  const ScratchFolder folder;
  for (const char* file : {"b.p", "a.p", "f.cpp", "x.txt"}) folder.write(file, "");
  EXPECT_EQ(files_of(open_project({folder / "b.p", folder / "a.p", folder / "./b.p", folder / "f.cpp"}), folder),
            "b: b.p a.p !f.cpp");
  EXPECT_EQ(open_project({}).error().text, "no P program is named: expected .p files, a .pproj file or a folder");
  EXPECT_EQ(open_project({folder / "no.p"}).error().text, (folder / "no.p").string() + ": error: no such file or folder");
  EXPECT_EQ(open_project({folder / "x.txt"}).error().text,
            (folder / "x.txt").string() + ": error: is no P program: expected a .p or .pproj file or a folder");
  EXPECT_EQ(open_project({folder / "f.cpp"}).error().text,
            (folder / "f.cpp").string() + ": error: is no P program: expected at least one .p file");
  EXPECT_EQ(open_project({folder / "a.p", folder.path()}).error().text,
            folder.path().string() + ": error: a folder or a project is named alone, without other files");
}

TEST(Project, FilesThatCannotBeReadAreTold) {
  const ScratchFolder folder;
  Project project;
  project.files.push_back({folder / "no.p"});
  EXPECT_EQ(read_sources(project).error().text,
            (folder / "no.p").string() + ": error: cannot be read: No such file or directory");
  fs::create_directory(folder / "dir.p");
  project.files = {{folder / "dir.p"}};
  EXPECT_EQ(read_sources(project).error().text, (folder / "dir.p").string() + ": error: cannot be read: Is a directory");
  const fs::path large = folder.write("large.p", "");
  fs::resize_file(large, (std::uintmax_t{1} << 30) + 1);  // sparse
  project.files = {{large}};
  EXPECT_EQ(read_sources(project).error().text,
            large.string() + ": error: is too long: 1073741825 bytes, expected at most 1073741824");
}

}  // namespace
}  // namespace tarry::plang
