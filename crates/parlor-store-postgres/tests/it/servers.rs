//! A primary and a synchronous standby, on sockets in a folder that goes with the test program, however that ends.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::admin::Admin;

/// How long anything that a server is asked for may take.
const WITHIN: Duration = Duration::from_secs(30);
/// Bytes that a file system in memory must have free to be used.
const MEMORY_MIN: u64 = 1 << 30;
const PORTS: [u16; 2] = [5431, 5433];
/// As in production but for the size; the standby must confirm every commit.
const SETTINGS: &str = "listen_addresses = ''
unix_socket_permissions = 0777
fsync = on
synchronous_commit = on
synchronous_standby_names = 'standby'
shared_buffers = 16MB
max_connections = 60
wal_level = replica
max_wal_senders = 4
wal_keep_size = 64MB
recovery_init_sync_method = syncfs
wal_retrieve_retry_interval = 50ms
max_wal_size = 128MB
min_wal_size = 16MB
checkpoint_timeout = 60min
autovacuum = off
logging_collector = off
dynamic_shared_memory_type = mmap
";

/// The two servers. A test has them for itself.
pub(crate) struct Servers {
    tools: Tools,
    folder: PathBuf,
    /// Which of the two is the primary.
    primary: usize,
    databases: u32,
}

/// Where PostgreSQL is, and as whom it may run: never as root.
struct Tools {
    bin: PathBuf,
    user: Option<(u32, u32)>,
}

/// The servers, alone; none where there is no PostgreSQL, and the tests may do without.
pub(crate) fn servers() -> Option<MutexGuard<'static, Servers>> {
    static SERVERS: OnceLock<Option<Mutex<Servers>>> = OnceLock::new();
    let servers = SERVERS.get_or_init(|| Tools::find().map(|tools| Mutex::new(Servers::start(tools))));
    let Some(servers) = servers else {
        let required = std::env::var_os("PARLOR_POSTGRES").is_some_and(|mode| mode == "require");
        assert!(!required, "PostgreSQL 14 or later is needed (Debian: `sudo apt-get install postgresql`)");
        println!("SKIPPED: PostgreSQL: there is none here (Debian: `sudo apt-get install postgresql`)");
        return None;
    };
    let mut servers = servers.lock().unwrap_or_else(PoisonError::into_inner);
    servers.repair();
    Some(servers)
}

impl Tools {
    fn find() -> Option<Self> {
        let versions = fs::read_dir("/usr/lib/postgresql").ok().into_iter().flatten().flatten();
        let debian = versions.filter_map(|version| {
            let number: u32 = version.file_name().to_str()?.parse().ok()?;
            Some((number, version.path().join("bin")))
        });
        let debian = debian.filter(|(number, bin)| *number >= 14 && bin.join("initdb").exists()).max();
        let elsewhere = || {
            let said = Command::new("pg_config").arg("--bindir").output().ok()?;
            let bin = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
            bin.join("initdb").exists().then_some(bin)
        };
        let bin = debian.map(|(_, bin)| bin).or_else(elsewhere)?;
        let user = (id(&["-u"]) == Some(0)).then(|| {
            let of = |flag| id(&[flag, "postgres"]);
            of("-u").zip(of("-g")).expect("the tests run as root, and there is no user `postgres`")
        });
        Some(Self { bin, user })
    }

    /// One of PostgreSQL's programs, not as root.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin.join(program));
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command.env_clear().env("LC_ALL", "C").env("PATH", "/usr/bin:/bin").current_dir("/");
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, program: &str, args: &[&str]) {
        let said = self.command(program).args(args).output().expect("it starts");
        assert!(said.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&said.stderr));
    }
}

fn id(args: &[&str]) -> Option<u32> {
    let said = Command::new("id").args(args).output().ok()?;
    String::from_utf8(said.stdout).ok()?.trim().parse().ok()
}

/// A folder for the servers: in memory, where there is room, because the tests wait for many commits.
fn parent() -> PathBuf {
    let free = || {
        let said = Command::new("df").args(["--output=avail", "-B1", "/dev/shm"]).output().ok()?;
        String::from_utf8(said.stdout).ok()?.lines().last()?.trim().parse::<u64>().ok()
    };
    if free().is_some_and(|free| free > MEMORY_MIN) { "/dev/shm".into() } else { std::env::temp_dir() }
}

fn signal(name: &str, pids: &[u32]) {
    let pids = pids.iter().map(ToString::to_string);
    // One that has ended meanwhile is as good.
    let _ = Command::new("kill").arg(format!("-{name}")).args(pids).stderr(Stdio::null()).status();
}

/// Whether a process is no more, or is only still listed because nobody has asked how it ended.
fn has_ended(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')))
}

pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < WITHIN, "not within {WITHIN:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

impl Servers {
    fn start(tools: Tools) -> Self {
        let folder = parent().join(format!("parlor-postgres-{}", std::process::id()));
        fs::create_dir(&folder).expect("the folder is new");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("it is ours");
        if let Some((user, group)) = tools.user {
            chown(&folder, Some(user), Some(group)).expect("root may");
        }
        let mut servers = Self { tools, folder, primary: 0, databases: 0 };
        servers.watch();
        let data = servers.data(0);
        let data = data.to_str().expect("text");
        let layout = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"];
        servers.tools.run("initdb", &[&["-N", "--wal-segsize=1", "-D", data], &layout[..]].concat());
        let socket = servers.folder.to_str().expect("text");
        let settings = format!("{SETTINGS}unix_socket_directories = '{socket}'\n");
        let mut file =
            fs::OpenOptions::new().append(true).open(servers.data(0).join("postgresql.conf")).expect("made");
        file.write_all(settings.as_bytes()).expect("there is room");
        servers.start_server(0);
        servers.attach_standby();
        servers
    }

    /// Stops and removes everything when this process ends: the other end of the pipe closes however it does.
    fn watch(&mut self) {
        let folder = self.folder.to_str().expect("text");
        let script = format!(
            "read _; for pid in $(cat {folder}/*/postmaster.pid 2>/dev/null | grep -E '^[0-9]+$' | sort -u); do \
             if grep -q {folder} /proc/$pid/cmdline 2>/dev/null; then kill -CONT $pid; kill -QUIT $pid; fi; done; \
             sleep 1; rm -rf {folder}"
        );
        let mut watcher = Command::new("sh")
            .args(["-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("there is a shell");
        // Kept open to the end of this process, behind which the other one comes.
        std::mem::forget(watcher.stdin.take());
        std::thread::spawn(move || watcher.wait());
    }

    fn data(&self, n: usize) -> PathBuf {
        self.folder.join(format!("data{n}"))
    }

    pub(crate) fn socket(&self) -> &str {
        self.folder.to_str().expect("text")
    }

    /// The port of the primary.
    pub(crate) fn port(&self) -> u16 {
        PORTS[self.primary]
    }

    /// The address of a database on both servers.
    pub(crate) fn url(&self, database: &str) -> String {
        self.url_on(&PORTS, database)
    }

    /// The same on some of them.
    pub(crate) fn url_on(&self, ports: &[u16], database: &str) -> String {
        let socket = self.socket();
        let hosts = vec![socket; ports.len()].join(",");
        let ports = ports.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        format!("host={hosts} port={ports} user=postgres dbname={database}")
    }

    pub(crate) fn admin(&self, database: &str) -> Admin {
        Admin::connect(self.socket(), self.port(), database).expect("the primary is there")
    }

    pub(crate) fn start_server(&self, n: usize) {
        let _ = fs::remove_file(self.data(n).join("postmaster.pid"));
        let log = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("log"));
        let log = log.expect("the folder is ours");
        let mut command = self.tools.command("postgres");
        let data = self.data(n);
        command.args(["-D", data.to_str().expect("text"), "-p", &PORTS[n].to_string()]);
        command.stdout(log.try_clone().expect("a handle more")).stderr(log).process_group(0);
        let mut child = command.spawn().expect("it starts");
        std::thread::spawn(move || {
            // So that no zombie is left.
            let _ = child.wait();
        });
        until("a server starts", || Admin::connect(self.socket(), PORTS[n], "postgres").is_some());
    }

    fn postmaster(&self, n: usize) -> Option<u32> {
        let file = fs::read_to_string(self.data(n).join("postmaster.pid")).ok()?;
        let pid: u32 = file.lines().next()?.parse().ok()?;
        let mut words = Vec::new();
        fs::File::open(format!("/proc/{pid}/cmdline")).ok()?.read_to_end(&mut words).ok()?;
        String::from_utf8_lossy(&words).contains(self.data(n).to_str()?).then_some(pid)
    }

    /// Every process of a server, with what it calls itself.
    fn processes(&self, n: usize) -> Vec<(u32, String)> {
        let Some(postmaster) = self.postmaster(n) else { return Vec::new() };
        let all = fs::read_dir("/proc").expect("Linux has it").flatten();
        let children = all.filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            let parent: u32 = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            let title = fs::read_to_string(entry.path().join("cmdline")).ok()?;
            (parent == postmaster).then_some((pid, title))
        });
        children.chain([(postmaster, "postmaster".to_owned())]).collect()
    }

    /// `kill -9` for every process of a server.
    pub(crate) fn kill(&self, n: usize) {
        let pids: Vec<u32> = self.processes(n).into_iter().map(|(pid, _)| pid).collect();
        signal("KILL", &pids);
        until("a killed server is gone", || pids.iter().all(|pid| has_ended(*pid)));
    }

    /// The primary dies and is started again: what was not committed is gone.
    pub(crate) fn restart(&mut self) {
        self.kill(self.primary);
        self.start_server(self.primary);
        self.await_standby();
    }

    /// The primary dies, and the standby takes over as far as it has come; then it gets a standby of its own.
    pub(crate) fn fail_over(&mut self) {
        let (old, new) = (self.primary, 1 - self.primary);
        self.kill(old);
        // What lies in its socket does not count: a standby that was cut off does not have it.
        self.kill(new);
        self.start_server(new);
        self.promote();
        self.attach_standby();
    }

    /// Makes the standby a primary; the old one is not touched.
    pub(crate) fn promote(&mut self) {
        let new = 1 - self.primary;
        let admin = Admin::connect(self.socket(), PORTS[new], "postgres").expect("the standby is there");
        admin.rows("SELECT pg_promote(true, 30)");
        self.primary = new;
    }

    /// Gives the primary a new standby.
    pub(crate) fn attach_standby(&mut self) {
        let standby = 1 - self.primary;
        self.kill(standby);
        let _ = fs::remove_dir_all(self.data(standby));
        let data = self.data(standby);
        let source = format!("host={} port={} user=postgres", self.socket(), self.port());
        let to = data.to_str().expect("text");
        self.tools.run("pg_basebackup", &["-D", to, "-d", &source, "-X", "stream", "-c", "fast", "-N"]);
        let conninfo = format!("primary_conninfo = '{source} application_name=standby'\n");
        fs::write(data.join("postgresql.auto.conf"), conninfo).expect("there is room");
        fs::write(data.join("standby.signal"), "").expect("there is room");
        if let Some((user, group)) = self.tools.user {
            chown(data.join("standby.signal"), Some(user), Some(group)).expect("root may");
        }
        self.start_server(standby);
        self.await_standby();
    }

    fn await_standby(&self) {
        let admin = self.admin("postgres");
        let sql = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        until("the standby is attached", || admin.number(sql) == 1);
    }

    /// The process of the standby that receives what the primary commits.
    fn receiver(&self) -> Vec<u32> {
        let processes = self.processes(1 - self.primary);
        processes.into_iter().filter(|(_, title)| title.contains("walreceiver")).map(|(pid, _)| pid).collect()
    }

    /// The standby confirms nothing any more; or goes on.
    pub(crate) fn freeze_standby(&self, frozen: bool) {
        let receiver = self.receiver();
        assert!(!receiver.is_empty(), "a standby receives");
        signal(if frozen { "STOP" } else { "CONT" }, &receiver);
    }

    /// Stops every process of a server where it stands; or lets them go on.
    pub(crate) fn freeze(&self, n: usize, frozen: bool) {
        let pids: Vec<u32> = self.processes(n).into_iter().map(|(pid, _)| pid).collect();
        signal(if frozen { "STOP" } else { "CONT" }, &pids);
    }

    pub(crate) fn primary(&self) -> usize {
        self.primary
    }

    pub(crate) fn ports() -> [u16; 2] {
        PORTS
    }

    /// The primary waits for its standby again.
    pub(crate) fn set_standby_required(&self) {
        let admin = self.admin("postgres");
        admin.run("ALTER SYSTEM RESET synchronous_standby_names");
        admin.rows("SELECT pg_reload_conf()");
    }

    /// After a test that failed in the middle: both servers run, and the standby follows.
    fn repair(&mut self) {
        for n in 0..2 {
            self.freeze(n, false);
        }
        let there = |n: usize| self.postmaster(n).is_some();
        let follows = there(0) && there(1) && {
            let admin = self.admin("postgres");
            admin.number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1
        };
        if !follows {
            if self.postmaster(self.primary).is_none() {
                self.start_server(self.primary);
            }
            self.set_standby_required();
            self.attach_standby();
        }
    }

    /// A new database; the ones of the tests before are gone.
    pub(crate) fn database(&mut self) -> String {
        let admin = self.admin("postgres");
        for row in admin.rows("SELECT datname FROM pg_database WHERE datname LIKE 'parlor%'") {
            let name: String = row.get(0);
            admin.run(&format!("DROP DATABASE {name} WITH (FORCE)"));
        }
        self.databases += 1;
        let name = format!("parlor{}", self.databases);
        admin.run(&format!("CREATE DATABASE {name}"));
        name
    }

    /// Ends every session in a database.
    pub(crate) fn cut(&self, database: &str) {
        let admin = self.admin("postgres");
        let sql =
            format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'");
        admin.rows(&sql);
        let sql = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}'");
        until("the sessions end", || admin.number(&sql) == 0);
    }
}
