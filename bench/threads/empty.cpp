// Nothing: what an execution costs by itself.
int main() {}
