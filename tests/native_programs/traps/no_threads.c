/* A program without threads. */
#include <stdio.h>

int main(void) { puts("alone"); }
