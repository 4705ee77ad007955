#include "native/driver/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <numeric>
#include <string_view>
#include <system_error>

#include "process/inherited_limits.h"
#include "process/interrupts.h"
#include "process/stall_watch.h"
#include "native/driver/environment.h"

namespace tarry::native {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Files of ours that a program inherits are out of the way of its own.
constexpr int kFirstNumber = 700;
int out_of_the_way(int number) {
  const int moved = ::fcntl(number, F_DUPFD_CLOEXEC, kFirstNumber);
  if (moved < 0) return number;
  ::close(number);
  return moved;
}

/// A T in memory that is shared through a file.
template <class T>
class SharedBlock {
 public:
  explicit SharedBlock(const char* name) {
    const int number = ::memfd_create(name, MFD_CLOEXEC);
    if (number < 0) fail("cannot make shared memory");
    file_ = File(out_of_the_way(number));
    if (::ftruncate(file_.number(), sizeof(T)) != 0) fail("cannot make shared memory");
    void* const memory = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_.number(), 0);
    if (memory == MAP_FAILED) fail("cannot map shared memory");
    it_ = new (memory) T;  // leaves the large arrays untouched
    it_->magic = kMagic;
    it_->version = kProtocolVersion;
  }
  SharedBlock(SharedBlock&& other) noexcept : file_(std::move(other.file_)), it_(std::exchange(other.it_, nullptr)) {}
  SharedBlock& operator=(SharedBlock&&) = delete;
  ~SharedBlock() {
    if (it_ != nullptr) ::munmap(it_, sizeof(T));
  }
  T* operator->() { return it_; }
  T& operator*() { return *it_; }
  int file() const { return file_.number(); }
  File take_file() { return std::move(file_); }

 private:
  File file_;
  T* it_ = nullptr;
};

void ask(Block& block, const LaunchedProgram& program, const std::string& request, std::uint32_t worker, std::uint32_t workers) {
  block.lacks = program.lacks;
  block.worker = worker;
  block.workers = workers;
  if (request.size() > Block::kRequestRoom) throw std::runtime_error("the request is too large for its block: a schedule of too many steps");
  std::memcpy(block.request, request.data(), request.size());
  block.request_size = request.size();
}

/// A program that recurses for ever is to overflow its stack, not the machine.
void set_limits() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_CORE, &limit) == 0) {
    limit.rlim_cur = 0;  // the program may ask for more, as it may without us
    ::setrlimit(RLIMIT_CORE, &limit);
  }
  constexpr rlim_t kMost = rlim_t{64} << 20;
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur <= kMost) return;
  limit.rlim_cur = kMost;
  ::setrlimit(RLIMIT_STACK, &limit);
}

void inherit(int number) { ::fcntl(number, F_SETFD, 0); }

/// After fork: becomes the program. Its output goes to the pipe: what the runtime lets through is shown only if something is wrong.
[[noreturn]] void become(const LaunchedProgram& program, const Environment& environment, int common, int block, int output, pid_t parent) {
  ::setpgid(0, 0);  // Ctrl-C is for the tool; and what the program starts ends with it
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  set_limits();
  if ((program.lacks & kNoFixedAddresses) == 0) ::personality(ADDR_NO_RANDOMIZE);  // addresses are the same in every process
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // Opened anew: whoever shares an open file shares its position, too.
  const std::string input = program.standard_input < 0 ? "/dev/null" : "/proc/self/fd/" + std::to_string(program.standard_input);
  ::dup2(::open(input.c_str(), O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  inherit(common);
  inherit(block);
  std::vector<char*> argv{const_cast<char*>(program.executable.c_str())};
  for (const std::string& argument : program.arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (!program.folder.empty() && ::chdir(program.folder.c_str()) != 0) ::_exit(126);
  ::execve(program.executable.c_str(), argv.data(), environment.pointers());
  const std::string text = "it cannot be started: " + std::generic_category().message(errno) + "\n";
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) ::_exit(126);
  ::_exit(127);
}

std::uint64_t resident_memory(pid_t process) {
  std::uint64_t size = 0, resident = 0;
  std::ifstream("/proc/" + std::to_string(process) + "/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Pages that several processes share count once for all of them. Takes milliseconds if the process holds much.
std::uint64_t proportional_memory(pid_t process) {
  std::ifstream rollup("/proc/" + std::to_string(process) + "/smaps_rollup");
  for (std::string word; rollup >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "Pss:" && rollup >> kibibytes) return kibibytes * 1024;
  }
  return resident_memory(process);
}

/// Adds the process, and those that it and its descendants started.
void add_with_descendants(pid_t process, std::vector<pid_t>& to) {
  if (std::find(to.begin(), to.end(), process) != to.end()) return;
  to.push_back(process);
  const std::string number = std::to_string(process);
  std::ifstream children("/proc/" + number + "/task/" + number + "/children");
  for (pid_t child = 0; children >> child;) add_with_descendants(child, to);
}

/// One worker process while it runs.
class Worker {
 public:
  Worker(const LaunchedProgram& program, const std::string& request, int common, std::uint32_t number, std::uint32_t workers) : number_(number), block_("tarry worker") {
    ask(*block_, program, request, number, workers);
    const Environment environment(program, common, block_.file());
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe");
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) fail("cannot start a process");
    if (pid_ == 0) become(program, environment, common, block_.file(), ends[1], parent);
    ::setpgid(pid_, pid_);  // whoever is first
    ::close(ends[1]);
    output_ = File(ends[0]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    end_of_it_ = File(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  }

  pid_t pid() const { return pid_; }
  bool running() const { return running_; }
  void add_to(std::vector<pollfd>& waiting) const {
    if (output_open_) waiting.push_back({output_.number(), POLLIN, 0});
    if (running_ && end_of_it_.number() >= 0) waiting.push_back({end_of_it_.number(), POLLIN, 0});
  }

  /// Keeps the end of what it wrote.
  void listen() {
    constexpr std::size_t kKept = 65'536;
    char buffer[65'536];
    while (output_open_) {
      const ssize_t n = ::read(output_.number(), buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN) return;
      if (n <= 0) {
        output_open_ = false;
        return;
      }
      end_.output.append(buffer, static_cast<std::size_t>(n));
      if (end_.output.size() > 2 * kKept) end_.output.erase(0, end_.output.size() - kKept);
    }
  }

  /// True when it has just ended.
  bool look() {
    rusage usage{};
    if (!running_ || ::wait4(pid_, &end_.status, WNOHANG, &usage) != pid_) return false;
    running_ = false;
    ::kill(-pid_, SIGKILL);  // what it has started
    listen();
    end_.processor_seconds = process::processor_seconds(usage);
    peak_rss_ = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    collect();
    return true;
  }

  /// A program that does not come back from a step is ended; what is on record says where it was. Work of Tarry itself may take long.
  void watch(const Progress& progress, milliseconds passed, milliseconds timeout) {
    if (!running_) return;
    const Phase phase = block_->phase.load(std::memory_order_relaxed);
    const WorkerProgress& line = progress.workers[number_ % kMaxWorkers];
    const std::uint64_t beat = line.beat.load(std::memory_order_relaxed) << 2 | static_cast<std::uint64_t>(phase);
    const pid_t runs = block_->process.load();
    const pid_t process = runs == 0 ? pid_ : std::max(runs, 0);  // 0: it is being made
    const bool own_work = phase == Phase::kTelling || (phase == Phase::kSearching && block_->in_step.load(std::memory_order_relaxed) == 0);
    if (phase == Phase::kDone || !stall_.look(process, own_work ? 0 : static_cast<std::uint32_t>(process), beat, passed, timeout)) return;
    end_.slept = stall_.slept();
    if (end_.slept && block_->call.load() != 0 && asked_to_wake_++ < kMostAsked) return signal(Ask::kEndWait);
    hung_ = true;
    end_by_force();
  }

  /// Ends what it does, at once if `urgent`. False: it is given no more time.
  bool hurry(milliseconds waited, bool urgent) {
    constexpr milliseconds kBeforeAsking{100}, kGrace{1'000}, kToTell{4'000};
    if (!running_) return true;
    const Phase phase = block_->phase.load(std::memory_order_relaxed);
    const bool ends = phase == Phase::kDone || phase == Phase::kTelling || block_->heard.load() != 0;
    end_.asked = end_.asked || urgent || waited >= kBeforeAsking;
    if (waited >= kGrace + (ends ? kToTell : milliseconds(0))) return false;
    if (end_.asked && phase == Phase::kSearching) signal(Ask::kStop);
    return true;
  }

  /// Adds its processes.
  void add_to(std::vector<pid_t>& processes) const {
    if (running_) add_with_descendants(pid_, processes);
  }

  void end_by_force() {
    if (!running_) return;
    end_.ended_by_us = true;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
  }

  std::uint64_t peak_rss() const { return peak_rss_; }
  const WorkerEnd& end() const { return end_; }
  WorkerEnd take_end() { return std::move(end_); }

 private:
  static constexpr int kMostAsked = 3;

  /// By a signal to the one thread that runs everything.
  void signal(Ask what) {
    const pid_t runs = block_->process.load();
    if (runs < 0) return;
    block_->ask.store(what);
    const pid_t process = runs == 0 ? pid_ : runs;
    ::syscall(SYS_tgkill, process, process, kAskSignal);
  }

  void collect() {
    if (block_->magic != kMagic || block_->version != kProtocolVersion) {
      end_.death = Death::kOurs;
      end_.death_text = "the program has destroyed what is shared with it";
      return;
    }
    end_.phase = block_->phase.load();
    const std::uint64_t size = block_->result_size.load();
    if (end_.phase == Phase::kDone && size > 0 && size <= Block::kResultRoom) {
      auto answer = answer_of(std::string(block_->result, size));
      if (answer) {
        end_.answer = std::move(*answer);
        return;
      }
      end_.death = Death::kOurs;
      end_.death_text = answer.error().text;
      return;
    }
    end_.death = hung_ ? Death::kHang : block_->death.load();
    end_.death_number = block_->death_number;
    end_.death_text.assign(block_->death_text, ::strnlen(block_->death_text, sizeof block_->death_text));
    end_.running = block_->running;
    const std::uint64_t length = block_->schedule_size.load();
    end_.schedule_fits = length < Block::kScheduleRoom;  // the runtime stops writing when it is full
    if (!end_.schedule_fits) return;
    const std::uint32_t points = std::min(block_->point_count.load(), Block::kMaxPoints);
    for (std::uint32_t i = 0; i < points; ++i) end_.points.push_back(place_of_number(block_->points[i]));
    if (const std::uint64_t footprints = block_->footprints.load(); footprints != 0) end_.points.push_back(place_of_number(footprints));
    for (std::uint64_t i = 0; i < length; ++i) end_.schedule.push_back(choice_of(block_->schedule[i]));
  }

  std::uint32_t number_;
  SharedBlock<Block> block_;
  pid_t pid_ = 0;
  File output_, end_of_it_;
  bool running_ = true, output_open_ = true, hung_ = false;
  int asked_to_wake_ = 0;
  StallWatch stall_;
  std::uint64_t peak_rss_ = 0;
  WorkerEnd end_;
};

/// All workers of a check.
class Team {
 public:
  Team(const LaunchedProgram& program, const Request& request, const LaunchOptions& options) : options_(options), common_("tarry check"), interrupts_(common_->progress.stop) {
    const std::string text = to_text(request);
    searches_ = request.job == Request::Job::kSearch;
    limit_ = searches_ ? request.engine.limits.time : options.replay_limit;
    if (searches_) memory_ = options.memory;
    workers_.reserve(options.workers);
    for (std::uint32_t i = 0; i < options.workers; ++i) {
      workers_.emplace_back(program, text, common_.file(), i, options.workers);
      interrupts_.add(-workers_.back().pid());
    }
  }
  ~Team() {
    for (Worker& worker : workers_) worker.end_by_force();  // after an exception
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  Launched run() {
    constexpr auto kTick = milliseconds(200);
    auto next_tick = start_ + kTick;
    while (std::any_of(workers_.begin(), workers_.end(), [](const Worker& worker) { return worker.running(); })) {
      wait();
      for (Worker& worker : workers_) look_at(worker);
      watch_memory();
      hurry();
      if (Clock::now() < next_tick) continue;
      tick(kTick);
      next_tick = Clock::now() + kTick;
    }
    Launched out{.workers = {}, .totals = common_->progress.totals(), .interrupted_by = interrupts_.by(), .out_of_time = out_of_time_, .out_of_memory = out_of_memory_};
    for (Worker& worker : workers_) {
      out.peak_rss += worker.peak_rss();
      out.workers.push_back(worker.take_end());
    }
    out.seconds = seconds();
    return out;
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void wait() const {
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers_) worker.add_to(waiting);
    ::poll(waiting.data(), waiting.size(), 50);
  }

  void look_at(Worker& worker) {
    worker.listen();
    if (!worker.look()) return;
    interrupts_.remove(-worker.pid());
    // Whoever found what it was looking for, or is gone without an answer, ends the others' work too.
    const auto& answer = worker.end().answer;
    if (!answer || answer->result.outcome.stopped_by == StoppedBy::kFinding || answer->result.outcome.stopped_by == StoppedBy::kLimit || !answer->problem.empty()) common_->progress.stop = true;
  }

  void tick(milliseconds passed) {
    for (Worker& worker : workers_) worker.watch(common_->progress, passed, options_.step_timeout);
    if (options_.tick) options_.tick(common_->progress, seconds());
  }

  /// Ends a search that holds more memory than it may. Its tables leave room (target/thread_subject.cc), so that it is the program which takes too much,
  /// and may go on to do so within one step.
  void watch_memory() {
    constexpr std::uint64_t kLeast = std::uint64_t{256} << 20;
    constexpr auto kPause = milliseconds(20);
    const auto now = Clock::now();
    if (memory_ == 0 || now < next_look_at_memory_) return;
    next_look_at_memory_ = now + kPause;
    std::vector<pid_t> processes{::getpid()};
    for (const Worker& worker : workers_) worker.add_to(processes);
    const auto sum = [&](auto of) { return std::accumulate(processes.begin(), processes.end(), std::uint64_t{0}, [&](std::uint64_t before, pid_t process) { return before + of(process); }); };
    if (sum(resident_memory) <= memory_) return;
    const std::uint64_t held = sum(proportional_memory);
    if (held <= memory_) return;
    common_->progress.out_of_memory = out_of_memory_ = true;
    if (held <= memory_ + std::max(memory_ / 4, kLeast)) return;
    for (Worker& worker : workers_) worker.end_by_force();
  }

  /// Whatever the program does: when the time is up, or the user or another worker ends the check, all workers end within a moment.
  void hurry() {
    const auto now = Clock::now();
    if (limit_ && now - start_ >= *limit_) out_of_time_ = true;
    if (out_of_time_ || out_of_memory_ || interrupts_.by() != 0) common_->progress.stop = true;
    if (!common_->progress.stop.load(std::memory_order_relaxed)) return;
    if (!hurried_since_) hurried_since_ = now;
    for (Worker& worker : workers_)
      if ((!searches_ && !out_of_time_) || !worker.hurry(std::chrono::duration_cast<milliseconds>(now - *hurried_since_), out_of_memory_)) worker.end_by_force();
  }

  const LaunchOptions& options_;
  SharedBlock<Common> common_;
  Interrupts interrupts_;
  std::vector<Worker> workers_;
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> hurried_since_;
  std::optional<milliseconds> limit_;
  std::uint64_t memory_ = 0;
  Clock::time_point next_look_at_memory_{};
  bool searches_ = true, out_of_time_ = false, out_of_memory_ = false;
};

}  // namespace

File::~File() {
  if (number_ >= 0) ::close(number_);
}

File copy_of_input(int from, const std::function<void()>& waiting) {
  struct stat info {};
  if (::fstat(from, &info) != 0 || ::isatty(from) != 0) return File();
  const int copy = ::memfd_create("standard input", MFD_CLOEXEC);
  if (copy < 0) return File();
  File out(out_of_the_way(copy));
  char buffer[65'536];
  bool told = false;
  while (true) {
    pollfd input{from, POLLIN, 0};
    if (!told && ::poll(&input, 1, 1000) == 0) {
      told = true;
      waiting();
    }
    const ssize_t n = ::read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    for (ssize_t done = 0; done < n;) {
      const ssize_t written = ::write(out.number(), buffer + done, static_cast<std::size_t>(n - done));
      if (written < 0) fail("cannot keep standard input");
      done += written;
    }
  }
  return out;
}

Launched launch(const LaunchedProgram& program, const Request& request, const LaunchOptions& options) { return Team(program, request, options).run(); }

DebuggerSession make_debugger_session(const LaunchedProgram& program, const Request& request) {
  SharedBlock<Common> common("tarry check");
  SharedBlock<Block> block("tarry worker");
  ask(*block, program, to_text(request), 0, 1);
  inherit(common.file());
  inherit(block.file());
  const Environment environment(program, common.file(), block.file());
  return {common.take_file(), block.take_file(), environment.added()};
}

}  // namespace tarry::native
