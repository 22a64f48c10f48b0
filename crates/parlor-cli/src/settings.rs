//! Reads the server's settings: from flags, else the environment, else parlor.toml, else the defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use parlor_core::Json;
use parlor_server::Config;
use serde_json::json;

use crate::shell::Failure;

/// Arguments that all server commands share.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct ServerArgs {
    /// The address to listen on, such as 127.0.0.1:8001
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<String>,
    /// The file of the store, which `serve` creates if it does not exist; or postgres://user@host,host/database
    #[arg(long, value_name = "FILE")]
    pub(crate) database: Option<String>,
    /// Serve HTTPS with the certificate in this file (PEM, with those that it rests on); it is read again when it changes
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_cert: Option<String>,
    /// The file of the certificate's private key (PEM)
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_key: Option<String>,
    /// An address at which HTTP is answered by where the same is over HTTPS, such as 0.0.0.0:80
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http_redirect: Option<String>,
    /// Read settings from this file [default: parlor.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Set any other setting; `parlor config show` lists them
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

/// A setting's value and its origin.
pub(crate) struct Setting {
    pub(crate) value: Json,
    /// A flag, an environment variable, a file, or `default`.
    pub(crate) origin: String,
}

/// Every setting, by name.
pub(crate) type Settings = BTreeMap<String, Setting>;

/// Reads all settings.
pub(crate) fn read(args: &ServerArgs) -> Result<(Config, Settings), Failure> {
    let Json::Object(defaults) = serde_json::to_value(Config::default()).expect("a config is plain data")
    else {
        return Err(Failure::failed("the default settings are not a table; this is a bug in parlor"));
    };
    let mut settings: Settings = defaults
        .into_iter()
        .map(|(name, value)| (name, Setting { value, origin: "default".to_owned() }))
        .collect();
    read_file(args.config.as_deref(), &mut settings)?;
    let names: Vec<String> = settings.keys().cloned().collect();
    for name in names {
        let variable = format!("PARLOR_{}", name.to_uppercase());
        if let Ok(text) = std::env::var(&variable) {
            put(&mut settings, &name, &text, &format!("environment {variable}"))?;
        }
    }
    for given in &args.set {
        let (name, text) = given
            .split_once('=')
            .ok_or_else(|| Failure::usage(format!("--set takes NAME=VALUE, not '{given}'")))?;
        put(&mut settings, name, text, "--set")?;
    }
    for (name, given) in [
        ("listen", &args.listen),
        ("database", &args.database),
        ("tls_cert", &args.tls_cert),
        ("tls_key", &args.tls_key),
        ("http_redirect", &args.http_redirect),
    ] {
        if let Some(text) = given {
            put(&mut settings, name, text, &format!("--{}", name.replace('_', "-")))?;
        }
    }
    let map: serde_json::Map<String, Json> =
        settings.iter().map(|(name, s)| (name.clone(), s.value.clone())).collect();
    let config = serde_json::from_value(Json::Object(map))
        .map_err(|error| Failure::usage(format!("settings: {error}")))?;
    Ok((config, settings))
}

fn read_file(named: Option<&Path>, settings: &mut Settings) -> Result<(), Failure> {
    let path = named.unwrap_or(Path::new("parlor.toml"));
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::usage(format!("{}: {error}", path.display()))),
    };
    let table: toml::Table =
        text.parse().map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    for (name, value) in table {
        let value = serde_json::to_value(value)
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        let Some(setting) = settings.get_mut(&name) else {
            return Err(unknown(&name, settings).hint(format!("remove or correct it in {}", path.display())));
        };
        *setting = Setting { value, origin: path.display().to_string() };
    }
    Ok(())
}

/// Parses a text as the type of value that the setting has.
fn put(settings: &mut Settings, name: &str, text: &str, origin: &str) -> Result<(), Failure> {
    let Some(setting) = settings.get_mut(name) else { return Err(unknown(name, settings)) };
    let wrong = |kind: &str| Failure::usage(format!("{name} must be {kind}, not '{text}' ({origin})"));
    let value = match &setting.value {
        Json::Bool(_) => Json::Bool(text.parse().map_err(|_| wrong("true or false"))?),
        Json::Number(_) => json!(text.parse::<u64>().map_err(|_| wrong("a whole number"))?),
        Json::Array(_) => json!(text.split(',').filter(|part| !part.is_empty()).collect::<Vec<_>>()),
        _ => json!(text),
    };
    *setting = Setting { value, origin: origin.to_owned() };
    Ok(())
}

fn unknown(name: &str, settings: &Settings) -> Failure {
    let names: Vec<&str> = settings.keys().map(String::as_str).collect();
    Failure::usage(format!("there is no setting '{name}'; settings: {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::{ServerArgs, read};

    #[test]
    fn a_flag_beats_the_file_and_the_file_beats_the_default() {
        let folder = std::env::temp_dir().join(format!("parlor-settings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("parlor.toml");
        std::fs::write(&file, "listen = \"127.0.0.1:1\"\ntables_max = 7\n").expect("a file");
        let args = ServerArgs {
            config: Some(file.clone()),
            listen: Some("127.0.0.1:2".into()),
            ..ServerArgs::default()
        };
        let (config, settings) = read(&args).expect("reads");
        assert_eq!((config.listen.as_str(), config.tables_max), ("127.0.0.1:2", 7));
        assert_eq!(settings["listen"].origin, "--listen");
        assert_eq!(settings["tables_max"].origin, file.display().to_string());
        assert_eq!(settings["outbox_max"].origin, "default");
        std::fs::write(&file, "tabels_max = 7\n").expect("a file");
        assert!(read(&args).is_err(), "a setting that does not exist is refused");
        let bad = ServerArgs { set: vec!["tables_max=many".into()], ..ServerArgs::default() };
        assert!(read(&bad).is_err());
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
