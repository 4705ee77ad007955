module Caches = { Host, Client };
module ReadOnlyCaches = { Host, Reader -> Client };
module HastyCaches = { HastyHost -> Host, Client };
