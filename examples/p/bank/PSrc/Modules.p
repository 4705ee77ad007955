module Client = { Client };
module Bank = { Server, Database };
module EagerBank = { EagerServer -> Server, Database };
module AbstractBank = { AbstractServer -> Server };
