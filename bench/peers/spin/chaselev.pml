/* Chase-Lev deque (SC), circular array of size C, S stealers with R attempts
   each, owner pushes K items and pops; CAS on top.
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
byte top, bot; byte buf[K]; byte taken[K+1];
inline take(x) { atomic { taken[x]++; assert(taken[x] == 1); x = 0 } }
proctype Owner()
{ byte i, x, b, t, n; bool ok;
  do
  :: i < K ->
     b = bot; t = top; buf[b] = i + 1; bot = b + 1; i++;
     if :: i % 2 == 0 || i == K -> n = (i == K -> 2 : 1) :: else -> n = 0 fi;
     do
     :: n > 0 ->
        b = bot;
        if :: b > 0 ->
           b = b - 1; bot = b;
           t = top;
           if
           :: t > b -> bot = t; x = 0
           :: t < b -> x = buf[b]
           :: t == b -> x = buf[b];
#ifdef BUG
              ok = true; top = t + 1;
#else
              atomic { ok = (top == t); if :: ok -> top = t + 1 :: else fi };
#endif
              if :: !ok -> x = 0 :: else fi; ok = 0;
              bot = t + 1
           fi
        :: else -> x = 0
        fi;
        if :: x > 0 -> take(x) :: else fi;
        b = 0; t = 0; n--
     :: n == 0 -> break
     od
  :: i == K -> break
  od;
end_done: (false)
}
proctype Stealer()
{ byte r, x, b, t; bool ok;
  do
  :: r < R ->
     t = top; b = bot;
     if :: t >= b -> skip
        :: else -> x = buf[t];
           atomic { ok = (top == t); if :: ok -> top = t + 1 :: else fi };
           if :: ok -> take(x) :: else -> x = 0 fi; ok = 0
     fi;
     b = 0; t = 0; r++
  :: r == R -> break
  od;
end_done: (false)
}
init { atomic { byte j = 0; run Owner();
  do :: j < S -> run Stealer(); j++ :: else -> j = 0; break od } }
