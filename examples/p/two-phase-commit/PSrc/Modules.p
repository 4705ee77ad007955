module Clients = { Client };
module Database = { Coordinator, Participant, Timer };
module ForgetfulDatabase = { ForgetfulCoordinator -> Coordinator, Participant, Timer };
