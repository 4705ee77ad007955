// One way to crash or to end, by name; with a second argument in main, else in a thread.
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <unistd.h>
#include <sys/mman.h>
#include <fenv.h>
std::mutex m; volatile int zero; volatile int* null; sigjmp_buf jb; int hits;
struct B { B(){ call(); } void call(){ f(); } virtual void f()=0; virtual ~B(){} }; struct D:B{ void f()override{} };
__attribute__((noinline)) int deep(int n){ volatile char a[1000]; a[n%1000]=1; return n==0?0:deep(n+1)+a[3]; }
__attribute__((noinline)) void smash(){ volatile char a[8]; volatile char*p=a; for(int i=0;i<64;i++) p[i]=1; }
void body(const std::string& w){
  std::lock_guard g(m);
  if(w=="segv") *null=1;
  if(w=="call") ((void(*)())null)();
  if(w=="wildcall") ((void(*)())0x123456789)();
  if(w=="wild") *(volatile int*)0xdead0000dead=1;
  if(w=="noncanon") *(volatile int*)0xdead0000deadbeef=1;
  if(w=="fpe") zero=1/zero;
  if(w=="ffpe") { feenableexcept(FE_DIVBYZERO); volatile double d=0; d=1/d; }
  if(w=="ill") __builtin_trap();
  if(w=="int3") asm volatile("int3");
  if(w=="bus") { FILE*f=tmpfile(); char*p=(char*)mmap(0,4096,PROT_READ,MAP_PRIVATE,fileno(f),0); zero=p[0]; }
  if(w=="abort") abort();
  if(w=="overflow") deep(1);
  if(w=="throw") throw std::runtime_error("the text");
  if(w=="at") std::vector<int>().at(3);
  if(w=="terminate") std::terminate();
  if(w=="pure") { D d; }
  if(w=="smash") smash();
  if(w=="code") *(volatile char*)&body=1;
  if(w=="ruin") { asm volatile("mov $0x10,%%rbp; mov $0x1000,%%rsp; movl $1,0"::: "memory"); }
  if(w=="exit") exit(3);
  if(w=="_exit") _exit(3);
  if(w=="quick") quick_exit(3);
  if(w=="raise") raise(SIGTERM);
  if(w=="raiseabrt") raise(SIGABRT);
  if(w=="kill") kill(getpid(),SIGUSR1);
  if(w=="handler") { signal(SIGSEGV,[](int){ hits++; siglongjmp(jb,1); }); for(int i=0;i<3;i++) if(!sigsetjmp(jb,1)) *null=1; assert(hits==3); printf("ok\n"); }
  if(w=="fix") { static char*p=(char*)mmap(0,4096,PROT_NONE,MAP_PRIVATE|MAP_ANONYMOUS,-1,0); struct sigaction a{}; a.sa_flags=SA_SIGINFO; a.sa_sigaction=[](int,siginfo_t*i,void*){ mprotect(p,4096,3); hits++; }; sigaction(SIGSEGV,&a,0); p[5]=1; assert(p[5]==1&&hits==1); printf("ok\n"); }
  if(w=="handlercrash") { signal(SIGSEGV,[](int){ *null=2; }); *null=1; }
  if(w=="abrthandler") { signal(SIGABRT,[](int){ write(1,"H",1); }); abort(); }
  if(w=="pipe") { int p[2]; pipe(p); close(p[0]); write(p[1],"x",1); }
  if(w=="deepok") { volatile char a[6<<20]; a[0]=1; zero=a[0]; }
  if(w=="freebad") free((char*)malloc(10)+16);
  if(w=="null lock") pthread_mutex_lock(nullptr);
}
struct AtExit{ ~AtExit(){ std::lock_guard g(m); printf("static gone\n"); } } ;
int main(int c,char**v){ std::string w=v[1]; bool in_main=c>2;
  if(w=="exitlock"){ static AtExit a; std::thread t([]{ std::lock_guard g(m); }); t.join(); return 0; }
  at_quick_exit([]{ write(1,"Q",1); });
  std::thread a([&]{ if(!in_main) body(w); }), b([]{ std::lock_guard g(m); });
  if(in_main) body(w);
  a.join(); b.join(); }
