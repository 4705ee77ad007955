module FailureDetection = { Detector, Node, Network, Timer };
