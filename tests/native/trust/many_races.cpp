// Eighty places that race, on forty lines of two each and in any combination; and a loop over an array, which is one.
#include <thread>

int values[40], array[64];
#define TWICE(i) values[i] = values[i] + 1
void count() {
  TWICE(0);
  TWICE(1);
  TWICE(2);
  TWICE(3);
  TWICE(4);
  TWICE(5);
  TWICE(6);
  TWICE(7);
  TWICE(8);
  TWICE(9);
  TWICE(10);
  TWICE(11);
  TWICE(12);
  TWICE(13);
  TWICE(14);
  TWICE(15);
  TWICE(16);
  TWICE(17);
  TWICE(18);
  TWICE(19);
  TWICE(20);
  TWICE(21);
  TWICE(22);
  TWICE(23);
  TWICE(24);
  TWICE(25);
  TWICE(26);
  TWICE(27);
  TWICE(28);
  TWICE(29);
  TWICE(30);
  TWICE(31);
  TWICE(32);
  TWICE(33);
  TWICE(34);
  TWICE(35);
  TWICE(36);
  TWICE(37);
  TWICE(38);
  TWICE(39);
  for (int& one : array) one = one + 1;
}

int main() {
  std::thread a(count), b(count);
  a.join();
  b.join();
}
