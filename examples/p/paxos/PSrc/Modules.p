module Learning = { Learner };
module Proposing = { Proposer };
module Accepting = { Acceptor };
module StubbornProposing = { StubbornProposer -> Proposer };
module ForgetfulAccepting = { ForgetfulAcceptor -> Acceptor };
