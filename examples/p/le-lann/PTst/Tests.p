// The number of stations.
param n: int;

// Station i has the id i + 1 and sends to station i + 1; the first makes the token.
machine Driver {
  start state SetUp {
    entry {
      var stations: seq[Station];
      var i: int;
      while (i < n) {
        stations += (i, new Station(i + 1));
        i = i + 1;
      }
      i = 0;
      while (i < n) {
        send stations[i], eStart, (next = stations[(i + 1) % n], first = i == 0);
        i = i + 1;
      }
    }
  }
}

test param (n in [2, 3, 4]) tcRing [main=Driver]: assert TokenComesBack in { Driver, Station };

test param (n in [3]) tcBugModest [main=Driver]: assert TokenComesBack in { Driver, ModestStation -> Station };
