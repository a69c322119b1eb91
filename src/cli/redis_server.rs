//! The Redis server of a command line, and the keys that a command has there.

use super::arguments::{RedisArguments, RunArguments, StoreArgument};
use super::failure::Failure;
use crate::config::Model;
use crate::pool::{RedisPools, StoreError};
use crate::redis_link::Address;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

/// The address asked for.
///
/// # Errors
/// A usage failure if there is none, or it is no address.
pub fn address(arguments: &RedisArguments) -> Result<Address, Failure> {
    let url = arguments.redis.as_deref().ok_or_else(|| {
        Failure::Usage(
            "no Redis server is named\n  help: add --redis redis://127.0.0.1:6379, or set JACKPOT_REDIS_URL".to_owned(),
        )
    })?;
    let address = Address::parse(url).map_err(StoreError::Link)?;
    Ok(address.with_timeout(Duration::from_millis(arguments.redis_timeout)))
}

/// A prefix that no other run has.
pub fn private_prefix(command: &str) -> String {
    format!("jackpot:{command}:{:016x}", RandomState::new().build_hasher().finish())
}

/// The pools of a run where the server is to hold them.
pub fn pools(model: &Model, arguments: &RunArguments) -> Result<Option<RedisPools>, Failure> {
    if arguments.store == StoreArgument::Memory {
        return Ok(None);
    }
    let fields = model.jackpots.fields();
    Ok(Some(RedisPools::connect(&address(&arguments.redis)?, &private_prefix("run"), &model.file_name, fields)?))
}
