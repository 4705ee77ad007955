module Machine = { Panel, Works };
module TrustingMachine = { TrustingPanel -> Panel, Works };
