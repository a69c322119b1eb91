#!lua
-- Takes the whole balance of a pool and leaves a reset, as one indivisible step, once for each claim id.
--
-- KEYS[1]  hash of a game's pools
-- KEYS[2]  journal of this claim: what it paid; it expires by itself
-- ARGV[1]  field of the pool
-- ARGV[2]  what to leave, in pool units
-- ARGV[3]  milliseconds for which the journal is kept
--
-- Replies the balance as text, since a Lua number holds no more than 2^53 exactly. A retry with the same claim id gets
-- the same reply. A missing field is 0 and is not created. What is no balance is refused, and nothing is changed.
local paid = redis.call('GET', KEYS[2])
if paid then
  return paid
end
local held = redis.call('HGET', KEYS[1], ARGV[1])
local is_missing = not held
if is_missing then
  held = '0'
elseif not (held == '0' or string.find(held, '^[1-9]%d*$')) or #held > 19
    or (#held == 19 and held > '9223372036854775807') then
  return redis.error_reply('NOTUNITS the field holds no whole number of pool units: nothing was paid')
end
redis.call('SET', KEYS[2], held, 'PX', ARGV[3])
if not is_missing then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return held
