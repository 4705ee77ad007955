/* Cilk THE work-stealing queue (the CHESS/PRSS "WSQ"): owner pushes/pops, S
   stealers steal; every access to shared H,T,buf,lock is one transition (SC).
   K items, owner pattern: push K, alternating pops.  BUG: pop reads H before it writes T.
   Processes stay at an end label: SPIN removes ended ones in LIFO order only,
   which adds states that no other tool has. */
#ifndef S
#define S 1
#endif
#ifndef K
#define K 3
#endif
#ifndef R
#define R K
#endif
byte H, Tl; byte buf[K]; bool lock_; byte taken[K+1];
inline acq() { atomic { !lock_ -> lock_ = true } }
inline rel() { lock_ = false }
inline take(x) { atomic { taken[x]++; assert(taken[x] == 1); x = 0 } }
proctype Owner()
{ byte i, x, h, t, n;
  do
  :: i < K ->                          /* push */
     t = Tl; buf[t] = i + 1; Tl = t + 1; i++;
     if :: i % 2 == 0 || i == K -> n = (i == K -> 2 : 1) :: else -> n = 0 fi;
     do
     :: n > 0 ->                       /* pop  */
        t = Tl - 1;
        if
        :: Tl > 0 -> 
#ifdef BUG
           h = H; Tl = t;
#else
           Tl = t;
           h = H;
#endif
           if
           :: h > t ->                 /* conflict or empty */
              Tl = t + 1;
              acq();
              Tl = t; h = H;
              if :: h > t -> Tl = t + 1; x = 0
                 :: else -> x = buf[t] fi;
              rel();
           :: else -> x = buf[t]
           fi
        :: else -> x = 0
        fi;
        if :: x > 0 -> take(x) :: else fi;
        h = 0; t = 0; n--
     :: n == 0 -> break
     od
  :: i == K -> break
  od;
end_done: (false)
}
proctype Stealer()
{ byte r, x, h, t;
  do
  :: r < R ->
     acq();
     h = H; H = h + 1;
     t = Tl;
     if :: h + 1 > t -> H = h; x = 0
        :: else -> x = buf[h] fi;
     rel();
     if :: x > 0 -> take(x) :: else fi;
     h = 0; t = 0; r++
  :: r == R -> break
  od;
end_done: (false)
}
init { atomic { byte j = 0; run Owner();
  do :: j < S -> run Stealer(); j++ :: else -> j = 0; break od } }
