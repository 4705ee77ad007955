#include "native/rt/calls/library_table.h"

#include <algorithm>

namespace tarry::native::rt {
namespace {

/// Names with one effect, separated by blanks.
struct Group {
  const char* effect;
  const char* names;
};

constexpr Group kGroups[] = {
    // ---------------------------------------------------------------- harmless
    // Values in, value out. What depends on the locale reads it; setlocale says that this is not explored (posix/libc_state.cc).
    {"",
     "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii tolower toupper _tolower _toupper "
     "__ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc __ctype_get_mb_cur_max __ctype_init isctype __isctype iswalnum iswalpha iswblank iswcntrl iswctype __iswctype "
     "iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit towctrans towlower towupper wctob btowc wctrans wctype wcwidth "
     "isalnum_l isalpha_l isblank_l iscntrl_l isdigit_l isgraph_l islower_l isprint_l ispunct_l isspace_l isupper_l isxdigit_l tolower_l toupper_l "
     "iswalnum_l iswalpha_l iswblank_l iswcntrl_l iswctype_l __iswctype_l iswdigit_l iswgraph_l iswlower_l iswprint_l iswpunct_l iswspace_l iswupper_l "
     "iswxdigit_l towlower_l towupper_l __towlower_l __towupper_l towctrans_l wctrans_l wctype_l __wctype_l __toupper_l __tolower_l"},
    {"",
     "abs labs llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll htonl htons ntohl ntohs copysign copysignf copysignl finite finitef finitel isinf "
     "isinff isinfl isnan isnanf isnanl __isinf __isinff __isinfl __isnan __isnanf __isnanl __isnanf128 __finite __finitef __finitel __signbit __signbitf __signbitl ldexp ldexpf ldexpl scalbn scalbnf "
     "scalbnl difftime gnu_dev_major gnu_dev_minor gnu_dev_makedev dysize inet_makeaddr inet_lnaof inet_netof"},
    // Exceptions, the stack protector, the start and the end of the process, the compiler's own calls.
    {"",
     "__errno_location __h_errno_location "
     "__cyg_profile_func_enter __cyg_profile_func_exit __fentry__ mcount _mcount _ITM_registerTMCloneTable? _ITM_deregisterTMCloneTable? "
     "__tls_get_addr? dl_iterate_phdr __fdelt_chk __fdelt_warn __fortify_fail __assert __assert_perror_fail __libc_single_threaded? __call_tls_dtors "
     "_pthread_cleanup_push _pthread_cleanup_pop _pthread_cleanup_push_defer? _pthread_cleanup_pop_restore? backtrace __backtrace vfork __vfork err errx verr verrx "
     "execv execve execvp execvpe execl execle execlp execveat fexecve "},
    // What concerns the calling thread, or does not change while the program runs.
    {"",
     "pthread_equal thrd_equal pthread_getspecific pthread_setspecific tss_get tss_set __pthread_key_create pthread_getconcurrency "
     "getpagesize __getpagesize sysconf __sysconf getauxval __getauxval getdtablesize get_nprocs get_nprocs_conf get_phys_pages get_avphys_pages gnu_get_libc_version gnu_get_libc_release "
     "sched_get_priority_max sched_get_priority_min __libc_current_sigrtmin __libc_current_sigrtmax uselocale __uselocale gai_strerror hstrerror strerrorname_np strerrordesc_np sigabbrev_np sigdescr_np "
     "pthread_yield? mallopt malloc_trim sync isatty fegetround fesetround feclearexcept feraiseexcept fetestexcept fegetexcept feenableexcept fedisableexcept "
     "pthread_atfork? __register_atfork nl_langinfo nl_langinfo_l __nl_langinfo_l inet_ntoa strerror strsignal dlerror bsearch "
     "duplocale __duplocale freelocale __freelocale"},
    // System calls without memory of the caller: the gate sees them (effects/touch.cc).
    {"",
     "close __close close_range closefrom dup dup2 dup3 __dup2 fchdir fchmod fchown fdatasync fsync flock lockf lockf64 ftruncate ftruncate64 fallocate fallocate64 "
     "posix_fallocate posix_fallocate64 posix_fadvise posix_fadvise64 readahead lseek lseek64 __lseek socket __socket listen shutdown eventfd eventfd_write epoll_create epoll_create1 inotify_init "
     "inotify_init1 inotify_rm_watch memfd_create? timerfd_create alarm ualarm mmap mmap64 __mmap munmap __munmap mprotect __mprotect mremap madvise __madvise posix_madvise msync mlock mlock2 munlock "
     "mlockall munlockall brk sbrk umask nice getpriority setpriority getuid geteuid getgid getegid getpgid getpgrp getsid setuid setgid seteuid setegid setreuid setregid setresuid setresgid "
     "setsid setpgid setpgrp killpg tgkill sched_getscheduler unshare setns personality arch_prctl tcgetpgrp tcsetpgrp tcdrain tcflow tcflush tcsendbreak "
     "shmget shmat shmdt semget msgget timer_delete timer_getoverrun isfdtype syncfs sync_file_range fpathconf fileno fileno_unlocked dirfd mq_close pkey_alloc pkey_free "
     "pidfd_open membarrier? gsignal sighold sigrelse sigignore siginterrupt sigblock sigsetmask siggetmask sigpause __sigpause __xpg_sigpause"},

    // Jumps: registers, and whether the signal mask was saved.
    {">68", "setjmp _setjmp __sigsetjmp"},
    {"<68", "longjmp _longjmp siglongjmp __longjmp_chk"},
    {"?-s<56-", "strftime_l __strftime_l"},
    {"?-W<56-", "wcsftime_l? __wcsftime_l"},
    {"--<8", "lfind"},
    {"->32", "dladdr dladdr1"},

    // ---------------------------------------------------------------- objects that are given: attributes, sets
    {">56",
     "pthread_attr_init pthread_attr_destroy pthread_attr_setdetachstate pthread_attr_setguardsize pthread_attr_setinheritsched pthread_attr_setschedpolicy pthread_attr_setscope "
     "pthread_attr_setstack pthread_attr_setstackaddr pthread_attr_setstacksize"},
    {"<56>4", "pthread_attr_getdetachstate pthread_attr_getinheritsched pthread_attr_getschedpolicy pthread_attr_getscope"},
    {"<56>8", "pthread_attr_getguardsize pthread_attr_getstackaddr pthread_attr_getstacksize"},
    {"<56>8>8", "pthread_attr_getstack"},
    {">56<4", "pthread_attr_setschedparam"},
    {"<56>4", "pthread_attr_getschedparam"},
    {">56-r1", "pthread_attr_setaffinity_np"},
    {"<56-w1", "pthread_attr_getaffinity_np"},
    {"->56", "pthread_getattr_np"},
    {">4",
     "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_setkind_np? pthread_mutexattr_setprioceiling pthread_mutexattr_setprotocol pthread_mutexattr_setpshared "
     "pthread_mutexattr_setrobust pthread_mutexattr_setrobust_np? pthread_mutexattr_settype pthread_condattr_init pthread_condattr_destroy pthread_condattr_setclock pthread_condattr_setpshared "
     "pthread_barrierattr_init pthread_barrierattr_destroy pthread_barrierattr_setpshared"},
    {"<4>4",
     "pthread_mutexattr_getkind_np? pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol pthread_mutexattr_getpshared pthread_mutexattr_getrobust pthread_mutexattr_getrobust_np? "
     "pthread_mutexattr_gettype pthread_condattr_getclock pthread_condattr_getpshared pthread_barrierattr_getpshared"},
    {">8", "pthread_rwlockattr_init pthread_rwlockattr_destroy pthread_rwlockattr_setkind_np pthread_rwlockattr_setpshared"},
    {"<8>4", "pthread_rwlockattr_getkind_np pthread_rwlockattr_getpshared"},
    {">128", "sigemptyset sigfillset sigaddset sigdelset __sigaddset? __sigdelset?"},
    {"<128", "sigismember sigisemptyset __sigismember?"},
    {">128<128<128", "sigandset sigorset"},

    // ---------------------------------------------------------------- texts and memory
    {"@", "strspn strcspn strpbrk strchrnul memmem memrchr rawmemchr __rawmemchr memccpy strsep strtok_r __strtok_r index rindex"},
    {"ss", "strcasestr __strcasestr strcoll strverscmp __strverscmp strcoll_l __strcoll_l"},
    {"w2s-", "strxfrm strxfrm_l __strxfrm_l"},
    {"?S2", "__strncat_chk"},
    {"w2S2", "stpncpy __stpncpy __stpncpy_chk"},
    {"r2w2", "swab"},
    {"w1", "explicit_bzero __explicit_bzero_chk memfrob"},
    {"r2r2", "__memcmpeq"},
    {">4", "rand_r"},
    {">6", "erand48 nrand48 jrand48"},
    {"-s", "newlocale __newlocale"},
    {"W", "wcslen wcsdup"},
    {"R1", "wcsnlen wcswidth"},
    {"WW", "wcscmp wcsstr wcswcs wcscspn wcspbrk wcsspn wcscasecmp wcscoll wcscoll_l __wcscoll_l"},
    {"W-", "wcschr wcsrchr wcschrnul"},
    {"R2R2", "wmemcmp"},
    {"R2--", "wmemchr"},
    {"V2R2", "wmempcpy __wmemcpy_chk __wmemmove_chk __wmempcpy_chk"},
    {"V2", "__wmemset_chk"},
    {"V2Y2", "wcsncpy wcpncpy __wcsncpy_chk __wcpncpy_chk"},
    {"V2W", "wcsxfrm wcsxfrm_l __wcsxfrm_l"},
    {"@", "__stpcpy_chk wcscpy wcpcpy __wcscpy_chk __wcpcpy_chk"},
    {"?W*", "wcscat wcsncat __wcscat_chk __wcsncat_chk"},
    {"Y2Y2", "wcsncmp wcsncasecmp"},
    {"W>8", "wcstol wcstoul wcstoll wcstoull wcstod wcstof wcstold wcstoimax wcstoumax wcstoq wcstouq"},
    {"s>8", "strtoimax strtoumax strtoq strtouq strtof32 strtof64 strtof32x strtof64x strtof128 strtod_l __strtod_l strtof_l __strtof_l strtold_l __strtold_l strtol_l __strtol_l "
            "strtoul_l __strtoul_l strtoll_l __strtoll_l strtoull_l __strtoull_l __isoc23_strtol? __isoc23_strtoul? __isoc23_strtoll? __isoc23_strtoull? __strtol_internal __strtoul_internal __strtod_internal"},
    {"s", "a64l inet_addr inet_network if_nametoindex nan nanf nanl"},
    {"ss", "strcasecmp_l __strcasecmp_l"},
    {"S2S2", "strncasecmp_l __strncasecmp_l"},
    {"w1-s", "strfromd strfromf strfroml"},
    {"-w2", "strerror_r __strerror_r __xpg_strerror_r ttyname_r ptsname_r __ttyname_r_chk __ptsname_r_chk"},
    {"<56>26", "asctime_r"},
    {"z:<8>26", "ctime_r"},
    {">56", "timegm timelocal"},
    {"ss>56", "strptime strptime_l"},

    // Out-parameters of mathematical functions. Arguments in vector registers have no letter.
    {">4", "frexp frexpf frexpl remquo remquof remquol lgamma_r lgammaf_r lgammal_r frexpf32 frexpf64 frexpf32x remquof32 remquof64 remquof32x"},
    {">8", "modf"},
    {">4", "modff"},
    {">16", "modfl"},
    {">8>8", "sincos"},
    {">4>4", "sincosf"},
    {">16>16", "sincosl"},
    {"B:", "lgamma lgammaf lgammal gamma gammaf gammal"},  // signgam
    {"?", "fegetenv feholdexcept fesetenv feupdateenv fegetexceptflag fesetexceptflag"},

    // ---------------------------------------------------------------- names of files
    {"s", "open open64 __open __open64 creat creat64 __open_2 __open64_2 access eaccess euidaccess unlink rmdir remove mkdir chmod chown lchown lchmod chdir chroot truncate truncate64 opendir mkfifo "
          "mknod shm_open shm_unlink mq_open mq_unlink pathconf acct swapon swapoff umount umount2"},
    {"-s", "openat openat64 __openat_2 __openat64_2 unlinkat mkdirat faccessat fchmodat fchownat mkfifoat mknodat inotify_add_watch"},
    {"ss", "fopen fopen64 rename link symlink"},
    {"ss", "popen"},
    {"s", "system"},
    {">4", "wait __wait posix_spawn posix_spawnp"},
    {"->4", "waitpid __waitpid"},
    {"ssF", "freopen freopen64"},
    {"-s", "fdopen"},
    {"s-s", "symlinkat"},
    {"-s-s", "renameat renameat2 linkat"},
    {"s<16", "utime"},
    {"s<32", "utimes lutimes"},
    {"-<32", "futimes futimens"},
    {"-s<32", "utimensat futimesat"},
    {"s*", "realpath __realpath_chk canonicalize_file_name statfs statfs64 statvfs statvfs64 getxattr lgetxattr setxattr lsetxattr listxattr llistxattr removexattr lremovexattr scandir scandir64 "
           "glob glob64 fnmatch ftw ftw64 nftw nftw64 ftok"},
    {"-*", "fstatfs fstatfs64 fstatvfs fstatvfs64 fgetxattr fsetxattr flistxattr fremovexattr statx scandirat scandirat64 getdents64 name_to_handle_at"},
    {"-sw3", "readlinkat __readlinkat_chk"},
    {"sw2", "__readlink_chk"},
    {"?", "mkstemp mkstemp64 mkstemps mkstemps64 mkostemp mkostemp64 mkostemps mkostemps64 mkdtemp mktemp __mktemp basename dirname __xpg_basename"},
    {"w1", "gethostname getdomainname __gethostname_chk __getdomainname_chk __getcwd_chk getlogin_r"},
    {"K:", "readdir readdir64 seekdir rewinddir telldir closedir fdopendir getlogin cuserid get_current_dir_name getmntent_r setmntent endmntent"},

    // ---------------------------------------------------------------- streams
    {"F", "pclose fclose _IO_fclose feof _IO_feof ferror _IO_ferror clearerr fgetwc getwc _IO_fflush setlinebuf __fpending __fpurge __freadable __fwritable __freading __fwriting __flbf __fbufsize "
          "feof_unlocked ferror_unlocked clearerr_unlocked getc_unlocked fgetc_unlocked fflush_unlocked getw __uflow __underflow __overflow"},
    {"F>16", "fgetpos fgetpos64"},
    {"F<16", "fsetpos fsetpos64"},
    {"F?", "setvbuf setbuf setbuffer"},
    {"-F", "putc_unlocked fputc_unlocked putwc fputwc ungetwc putw"},
    {"sF", "fputs_unlocked"},
    {"?-F", "fgets_unlocked fgetws"},
    {"?--F", "__fgets_chk __fgets_unlocked_chk __fgetws_chk fread_unlocked fwrite_unlocked"},
    {"?---F", "__fread_chk __fread_unlocked_chk"},
    {"WF", "fputws"},
    {"O:", "putchar_unlocked putwchar"},
    {"I:", "getchar_unlocked getwchar"},
    {"s", "perror"},
    {"s", "gettext"},
    {"ss", "dgettext dcgettext ngettext dngettext"},
    {"s*", "warn warnx"},
    {"?", "fmemopen open_memstream open_wmemstream"},
    // What a format leads to is not followed here.
    {"!", "swscanf vswscanf __isoc99_swscanf __isoc99_vswscanf fwscanf vfwscanf wscanf vwscanf "
          "__isoc99_fwscanf __isoc99_wscanf __isoc99_vfwscanf __isoc99_vwscanf __isoc23_sscanf? __isoc23_fscanf? __isoc23_scanf? __isoc23_vsscanf? "
          "__isoc23_vfscanf? __isoc23_vscanf? obstack_printf obstack_vprintf __obstack_printf_chk __obstack_vprintf_chk __asprintf vwarn vwarnx"},

    // ---------------------------------------------------------------- the kernel fills or reads structures
    {"->16", "getrlimit getrlimit64 __getrlimit"},
    {"-<16", "setrlimit setrlimit64"},
    {"--<16>16", "prlimit prlimit64"},
    {"->144", "getrusage"},
    {">112", "sysinfo"},
    {">4>4>4", "getresuid getresgid"},
    {"->8", "eventfd_read"},
    {"-<4", "sched_setparam"},
    {"--<4", "sched_setscheduler"},
    {"--r1", "sched_setaffinity"},
    {"--w1", "sched_getaffinity"},
    {"--?", "fcntl fcntl64 __fcntl"},
    {"->4", "sched_getparam"},
    {"->16", "sched_rr_get_interval"},
    {"->32", "getitimer timer_gettime timerfd_gettime"},
    {"-<32>32", "setitimer"},
    {"--<32>32", "timer_settime timerfd_settime"},
    {"-<64>8", "timer_create"},
    {"-<16", "clock_settime"},
    {"->60", "tcgetattr"},
    {"--<60", "tcsetattr"},
    {"--?", "mincore"},
    {"-*",
     "prctl ioctl accept accept4 connect bind __connect getsockopt setsockopt getsockname getpeername recvmmsg sendmmsg __sendmmsg __recvfrom_chk epoll_ctl epoll_wait epoll_pwait epoll_pwait2 wait4 waitid "
     "mq_send mq_receive mq_timedsend mq_timedreceive mq_getattr mq_setattr mq_notify msgsnd msgrcv msgctl shmctl semctl semop semtimedop sendfile sendfile64 splice tee vmsplice copy_file_range preadv2 "
     "preadv64v2 pwritev2 pwritev64v2 __pread_chk __pread64_chk process_vm_readv process_vm_writev signalfd getgroups __getgroups_chk setgroups ptrace pselect select __select "
     "aio_read aio_write aio_error aio_return aio_suspend aio_fsync aio_cancel lio_listio"},
    {"*", "poll ppoll __poll __poll_chk __ppoll_chk"},

    // ---------------------------------------------------------------- state of libc that threads share, besides what the runtime takes over
    {"L:s", "dlopen"},
    {"L:-s", "dlsym dlmopen"},
    {"L:-ss", "dlvsym"},
    {"L:", "dlclose"},
    {"L:--?", "dlinfo"},
    {"E:", "clearenv"},
    {"e:s", "secure_getenv __secure_getenv?"},
    {"Z:", "tzset"},
    {"S:>4S2", "mbtowc"},
    {"S:?", "wctomb __wctomb_chk"},
    {"S2:r1-?", "mbrlen __mbrlen"},
    {"S2:?-?", "wcrtomb __wcrtomb_chk c16rtomb c32rtomb c8rtomb?"},
    {"S3:>4S2-?", "mbrtowc __mbrtowc mbrtoc16 mbrtoc32 mbrtoc8?"},
    {"S3:?*", "mbsrtowcs wcsrtombs __mbsrtowcs_chk __wcsrtombs_chk"},
    {"S4:?*", "mbsnrtowcs wcsnrtombs __mbsnrtowcs_chk __wcsnrtombs_chk"},
    {"B:", "localeconv"},
    {"B:*", "getopt getopt_long getopt_long_only gcvt qecvt qfcvt qgcvt getnetbyname getnetbyaddr getnetent getprotoent getaliasbyname getrpcbyname getrpcbynumber getspnam getspent getutent getutid getutline "
            "getusershell gethostbyname2 tmpnam tempnam ctermid strfmon"},

    // ---------------------------------------------------------------- accesses that are not known, no state
    {"*",
     "mbstowcs wcstombs __mbstowcs_chk __wcstombs_chk mbsinit wcstok iconv getaddrinfo getnameinfo freeaddrinfo regcomp regexec regfree regerror "
     "tsearch tfind tdelete twalk twalk_r tdestroy __tsearch __tfind __tdelete __twalk lsearch hsearch_r hcreate_r hdestroy_r insque remque random_r srandom_r initstate_r setstate_r drand48_r "
     "lrand48_r mrand48_r erand48_r nrand48_r jrand48_r srand48_r seed48_r lcong48_r getpwnam_r getpwuid_r getgrnam_r getgrgid_r gethostbyname_r gethostbyaddr_r getservbyname_r "
     "getservbyport_r getprotobyname_r inet_aton wcsftime ecvt_r fcvt_r getsubopt argz_add argz_append argz_count argz_create argz_create_sep argz_delete argz_extract argz_insert "
     "argz_next argz_replace argz_stringify envz_add envz_entry envz_get envz_merge envz_remove envz_strip confstr getcontext setcontext makecontext swapcontext _obstack_begin "
     "_obstack_newchunk obstack_free wordexp wordfree globfree globfree64 posix_spawn_file_actions_init posix_spawn_file_actions_destroy posix_spawn_file_actions_addopen posix_spawn_file_actions_addclose "
     "posix_spawn_file_actions_adddup2 posix_spawnattr_init posix_spawnattr_destroy posix_spawnattr_setflags backtrace_symbols backtrace_symbols_fd cfgetispeed cfgetospeed cfmakeraw cfsetispeed cfsetospeed "
     "cfsetspeed alphasort alphasort64 versionsort  timespec_getres iconv_open iconv_close"},
    {"-?w3", "inet_ntop"},
    {"-s?", "inet_pton"},
};

/// A name that ends in '?' need not exist on every machine.
std::vector<KnownFunction> make_list() {
  std::vector<KnownFunction> all;
  for (const Group& group : kGroups) {
    std::string_view rest = group.names;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      std::string_view name = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (name.ends_with('?')) name.remove_suffix(1);
      if (!name.empty()) all.push_back({name, group.effect});
    }
  }
  std::sort(all.begin(), all.end(), [](const KnownFunction& a, const KnownFunction& b) { return a.name < b.name; });
  return all;
}

}  // namespace

const std::vector<KnownFunction>& known_functions() {
  static const std::vector<KnownFunction> all = make_list();
  return all;
}

const char* effect_of(std::string_view name) {
  const auto& all = known_functions();
  const auto found = std::lower_bound(all.begin(), all.end(), name, [](const KnownFunction& one, std::string_view wanted) { return one.name < wanted; });
  return found != all.end() && found->name == name ? found->effect : nullptr;
}

}  // namespace tarry::native::rt
