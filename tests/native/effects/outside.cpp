// One thing done outside of the program's memory, by name, while other threads do it too. What an execution finds is what the first found.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
using std::string;
std::mutex m; int order; string w; char big[1<<20]; int ticks;
void body(int id){
  std::lock_guard g(m);
  if(w=="read"){ char buf[100000]; int f=open("/bin/true",O_RDONLY); assert(f==3); ssize_t n=read(f,buf,sizeof buf); if(n<=0) perror("read"); assert(n>20000); assert(!memcmp(buf,"\177ELF",4)); if(id) close(f); else { struct stat s; assert(!fstat(f,&s)); printf("%d ",n==s.st_size||n==100000); close(f);} }
  if(w=="leak"&&id){ int f=open("/bin/true",O_RDONLY); assert(f==3); }
  if(w=="count"){ std::ifstream i("cnt.txt"); int n=0; i>>n; i.close(); std::ofstream("cnt.txt")<<n+1; assert(n==5||n==6); printf("%d",n); }
  if(w=="create"&&id){ assert(access("d1",F_OK)!=0); assert(!mkdir("d1",0755)); std::ofstream("d1/x")<<"hi"; assert(!rename("d1/x","d1/y")); assert(!chdir("d1")); assert(access("y",F_OK)==0); assert(!unlink("../keep.txt")); }
  if(w=="temp"){ char n[]="tmpXXXXXX"; int f=mkstemp(n); assert(f>=0); write(f,"x",1); FILE*t=tmpfile(); fputs("q",t); }
  if(w=="mmap"){ static char* first; char*p=(char*)mmap(0,1<<20,3,MAP_PRIVATE|MAP_ANONYMOUS,-1,0); assert(p[5]==0); p[5]=1; if(id&&0) first=p; p=(char*)mremap(p,1<<20,4<<20,MREMAP_MAYMOVE); assert(p[5]==1); madvise(p,4096,MADV_DONTNEED); assert(p[5]==0); if(id) munmap(p,4<<20); void*b=sbrk(0); char*q=(char*)sbrk(10000); assert(q==b); assert(q[9999]==0); q[9999]=1; (void)first; }
  if(w=="shared"){ int f=open("cnt.txt",O_RDWR); char*p=(char*)mmap(0,4096,3,MAP_SHARED,f,0); assert(p[0]=='5'||p[0]=='6'); p[0]++; }
  if(w=="global"){ for(auto&c:big) assert(c==0); big[77777]=1; madvise(big+8192,65536,MADV_DONTNEED); big[77777]=0; }
  if(w=="mprot"&&id){ static char x[8192] __attribute__((aligned(4096))); assert(!mprotect(x,4096,PROT_READ)); printf("p"); }
  if(w=="chdir"){ chdir("/"); char b[100]; getcwd(b,100); printf("%s",b); }
  if(w=="close0"&&id){ close(0); close(2); assert(open("/dev/null",O_RDONLY)==0); }
  if(w=="freopen"&&id){ freopen("out.txt","w",stdout); printf("gone\n"); }
  if(w=="fork"&&id){ int p=fork(); if(!p){ printf("c"); fflush(stdout); _exit(4);} int st; assert(waitpid(p,&st,0)==p); assert(WEXITSTATUS(st)==4); printf("p"); }
  if(w=="system"&&id){ int r=system("exit 3"); assert(WEXITSTATUS(r)==3); printf("s"); fflush(stdout); system("echo hi"); }
  if(w=="popen"&&id){ FILE*f=popen("echo a b","r"); char b[20]={}; assert(fgets(b,20,f)); printf("%s",b); pclose(f); }
  if(w=="exec"&&id){ execl("/bin/sh","sh","-c","echo exec; exit 5",nullptr); }
  if(w=="dlopen"&&id){ void*h=dlopen("libz.so.1",RTLD_NOW); if(!h) h=dlopen("libzstd.so.1",RTLD_NOW); assert(h); auto f=dlsym(h,"zlibVersion"); printf("%d",f!=0); }
  if(w=="timer"&&id){ signal(SIGALRM,[](int){ ticks++; }); itimerval t{}; t.it_value.tv_usec=1000; setitimer(ITIMER_REAL,&t,nullptr); while(!*(volatile int*)&ticks){} printf("t"); }
  if(w=="alarm"&&id){ alarm(1); for(;;){} }
  if(w=="socket"&&id){ int s=socket(AF_INET,SOCK_DGRAM,0); assert(s>=0); printf("k"); }
  if(w=="getenv"){ printf("%d",getenv("LD_PRELOAD")!=0); }
  if(w=="stat"){ struct stat s[3000]; assert(!stat("/bin/true",&s[1000])); printf("%d",(int)(s[1000].st_size>0)); }
}
int main(int c,char**v){ w=v[1];
  if(w=="stdin"){ string l; std::getline(std::cin,l); std::thread t([]{}); t.join(); printf("<%s>",l.c_str()); return 0; }
  if(w=="pipe"||w=="pair"||w=="event"){ int p[2]; if(w=="pipe") pipe(p); else if(w=="pair") socketpair(AF_UNIX,SOCK_STREAM,0,p); else p[0]=p[1]=eventfd(0,0);
    std::thread a([&]{ uint64_t b=0; read(p[0],&b,8); order=order*10+1; printf("r%d",(int)b); }), b([&]{ order=order*10+2; uint64_t one=7; write(p[1],&one,8); }); a.join(); b.join(); printf(" %d",order); assert(order==21); return 0; }
  if(w=="pipedead"){ int p[2]; pipe(p); std::thread a([&]{ char b; read(p[0],&b,1); }); a.join(); return 0; }
  if(w=="full"){ int p[2]; pipe(p); std::thread a([&]{ char z[4096]={}; for(int i=0;i<20;i++) write(p[1],z,4096); }); char z[4096]; int n=0; while(n<20*4096){ int k=read(p[0],z,4096); assert(k>0); n+=k; } a.join(); printf("%d",n); return 0; }
  if(w=="poll"||w=="select"||w=="epoll"){ int p[2]; pipe(p); std::thread a([&]{ write(p[1],"x",1); }); 
    int r; if(w=="poll"){ pollfd f{p[0],POLLIN,0}; r=poll(&f,1,v[2]?10:-1);} else if(w=="select"){ fd_set s; FD_ZERO(&s); FD_SET(p[0],&s); r=select(p[0]+1,&s,0,0,0);} else { int e=epoll_create1(0); epoll_event ev{}; ev.events=EPOLLIN; epoll_ctl(e,EPOLL_CTL_ADD,p[0],&ev); r=epoll_wait(e,&ev,1,-1);} 
    a.join(); printf("%d",r); return 0; }
  if(w=="polled"||w=="epolled"){ int p[2]; pipe(p); int told=0; std::thread a([&]{ told=1; write(p[1],"x",1); });  // the wait alone orders what both do to `told`
    if(w=="polled"){ pollfd f{p[0],POLLIN,0}; poll(&f,1,-1); } else { int e=epoll_create1(0); epoll_event ev{}; ev.events=EPOLLIN; epoll_ctl(e,EPOLL_CTL_ADD,p[0],&ev); epoll_wait(e,&ev,1,-1); }
    assert(told==1); a.join(); return 0; }
  std::thread a([&]{ body(0); }), b([&]{ body(1); }); a.join(); b.join(); puts(""); }
