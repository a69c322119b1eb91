#!lua
-- Takes the whole text of a pool and leaves a reset, as one indivisible step, once for each claim id.
local paid = redis.call('GET', KEYS[2])
if paid then
  return paid
end
local held = redis.call('HGET', KEYS[1], ARGV[1])
local is_missing = not held
if is_missing then
  held = '0'
elseif not (string.find(held, '^%d+%.%d+$') or string.find(held, '^%d+$')) then
  return redis.error_reply('NOTANAMOUNT the field holds no decimal amount: nothing was paid')
end
redis.call('SET', KEYS[2], held, 'PX', ARGV[3])
if not is_missing then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
end
return held
