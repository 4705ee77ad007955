module Ring = { Node };
module HastyRing = { HastyNode -> Node };
