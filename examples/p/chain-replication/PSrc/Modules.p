module Chain = { Master, Node };
module Clients = { Client };
