// A path of so many nodes.
param length: int;

machine Driver {
  start state SetUp {
    entry {
      var nodes: seq[machine];
      var neighbours: seq[machine];
      var i: int;
      while (i < length) {
        nodes += (i, new Node());
        i = i + 1;
      }
      i = 0;
      while (i < length) {
        neighbours = default(seq[machine]);
        if (i > 0) { neighbours += (0, nodes[i - 1]); }
        if (i + 1 < length) { neighbours += (0, nodes[i + 1]); }
        send nodes[i], eNeighbours, neighbours;
        i = i + 1;
      }
    }
  }
}

test param (length in [1, 2, 3, 4]) tcPath [main=Driver]: assert OneRoot in { Driver, Node };

test param (length in [4]) tcBugHasty [main=Driver]: assert OneRoot in { Driver, HastyNode -> Node };
