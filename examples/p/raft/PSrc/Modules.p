module Servers = { Server };
