-- Takes a pool: reads the field, writes 0, answers what it read.
local key, field = KEYS[1], ARGV[1]
local before = redis.call('HGET', key, field)
redis.call('HSET', key, field, '0')
if before == nil or before == '' then
  return 0
end
return tonumber(before)
