// Remembers what it is taught.
machine Learner {
  var learned: set[int];

  start state Learning {
    on eLearn do (value: int) {
      learned += (value);
    }
  }
}
