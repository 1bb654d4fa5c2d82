export const HELP = `stowage decides where pods go, exactly as kube-scheduler v1.36 does.

Usage:
  stowage simulate FILE...   place the pending pods of a cluster, and say why others stay
  stowage replay LOG         do again what a log says, and compare
  stowage run                schedule the pods of a cluster, as a second scheduler
  stowage up                 a cluster on this machine, which kubectl talks to
  stowage version            print the version
  stowage help [COMMAND]     print what a command does

Start with a cluster you can read:
  kubectl get nodes,pods,priorityclasses,pv,pvc,sc -A -o json | stowage simulate -
`;

export const SIMULATE_HELP = `\
Places the pending pods of a cluster as kube-scheduler v1.36 would, one by one, and says in its
words why others stay pending. Nothing outside is changed.

Usage:
  stowage simulate FILE... [flags]

A FILE is YAML or JSON, with one or many documents, or Lists as kubectl prints them; a directory
(its .yaml, .yml, .json, .ndjson and .jsonl files; with -R those of its directories too); or - for
standard input. Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs become the pods that
they still lack, and their claims. Pods go by priority, then age, then the order of the files. Pods
that are being deleted, or wait for another scheduler, stay as they are. Pods with volumes need what
these are made of: pv, pvc and sc, and of CSI drivers csinodes, csidrivers and csistoragecapacities.

Examples:
  # What would happen to the pods that are pending right now?
  kubectl get nodes,pods,priorityclasses,pv,pvc,sc -A -o json | stowage simulate -

  # Would this application fit into that cluster?
  stowage simulate cluster.json -f app/

  # Why does this pod stay pending, node by node?
  stowage simulate cluster.json --explain default/web-0 --all-plugins

  # The same with another configuration, as data.
  stowage simulate cluster.json --config scheduler.yaml -o json

Flags:
  -f, --filename FILE        the same as a FILE; can be repeated
  -R, --recursive            also read the directories inside of directories
  -o, --output FORMAT        table (default), wide, json, yaml or name
  -n, --namespace NAME       report only the pods of this namespace; all are placed
  -A, --all-namespaces       report the pods of all namespaces (default)
      --explain POD          one pod in detail: each node with each plugin's verdict and score
      --all-plugins          with --explain: every plugin that refuses a node, not only the first
      --limit N              with --explain: at most N nodes (default 50, 0 for all)
      --config FILE          a KubeSchedulerConfiguration, YAML or JSON
      --feature-gates A=true,B=false
                             feature gates that differ from their default in v1.36
      --scheduler-name NAME  place the pods of this scheduler (default default-scheduler)
      --tie-break HOW        among equal nodes: heap (default, as kube-scheduler), name, or random
      --seed N               for --tie-break random (default 0)
      --volumes WHO          binds claims and makes volumes: simulate (default), as the cluster's
                             controllers would, or host: nobody here does
      --record LOG           write the log of the scheduler into a file (.gz: packed), for replay
      --no-headers           tables without their first line
      --color WHEN           auto (default), always or never; NO_COLOR is respected
      --speed                say how fast it was
  -q, --quiet                only warnings and errors on standard error
  -v, --verbose              also name the kinds that were ignored
  -h, --help                 print this

Exit codes:
  0  every pod of this scheduler has a node
  1  some pods stay pending, wait for their volumes, or were decided without a plugin that this
     version does not have yet
  2  the input or the command line is wrong; nothing was placed
  3  stowage failed
`;

export const REPLAY_HELP = `\
Does again what the log of a scheduler says, and compares its decisions by their hashes. Where this
version wrote the log all else that was said is compared too: calls, events and other records. A log
is written by "stowage simulate --record LOG" and by the option "log" of createScheduler.

Usage:
  stowage replay LOG [flags]

LOG is a file, packed by gzip or not, or - for standard input.

Examples:
  # Does this version decide as that one did?
  stowage replay run.ndjson

  # What was in the queues behind line 17 of the log?
  stowage replay run.ndjson --until 17 --inspect

Flags:
      --until N   stop behind line N of the log; the header is line 1
      --inspect   print what the scheduler holds then, as JSON
      --hash      print the hash of all decisions
  -q, --quiet     only warnings and errors on standard error
  -h, --help      print this

Exit codes:
  0  all is the same
  1  it is not: the first difference is on standard error
  2  the log is missing, cut off or none, or the command line is wrong
  3  stowage failed
`;

export const RUN_HELP = `\
Schedules the pods of a cluster as kube-scheduler v1.36 would, beside it or in its place, until it
is told to end by SIGINT or SIGTERM. Of several only the one that holds the lease decides.

Usage:
  stowage run [flags]

The cluster is that of --kubeconfig or --context, or of --in-cluster; without these flags that of
the pod that this runs in, or else of the usual kubeconfig (KUBECONFIG, ~/.kube/config).

Examples:
  # What would it decide? Nothing is written.
  stowage run --scheduler-name stowage --dry-run

  # The scheduler of all pods with schedulerName: stowage.
  stowage run --kubeconfig ~/.kube/config --scheduler-name stowage

  # The same by a configuration, with a log for "stowage replay".
  stowage run --config scheduler.yaml --record run.ndjson.gz

Flags:
      --kubeconfig FILE        how to reach the cluster, and as whom
      --context NAME           of the kubeconfig (default its current one)
      --in-cluster             by the service account of the pod that this runs in
      --scheduler-name NAME    of the pods that are its own (default as the configuration says, or
                               default-scheduler); also the name of its lease
      --config FILE            a KubeSchedulerConfiguration, YAML or JSON
      --feature-gates A=true,B=false
                               feature gates that differ from their default in v1.36
      --leader-elect=BOOL      whether it waits for the lease (default as the configuration says,
                               or true). These flags go before the configuration:
      --leader-elect-lease-duration, --leader-elect-renew-deadline, --leader-elect-retry-period
                               times such as 15s, 10s and 2s, their defaults
      --leader-elect-resource-namespace, --leader-elect-resource-name
                               the lease (default kube-system, and kube-scheduler or NAME)
      --dry-run                decide, and write nothing: no bindings, no events, no lease
      --record LOG             write the log of the scheduler into a file (.gz: packed), for replay
      --bind-address ADDRESS   where health and metrics are served (default 127.0.0.1)
      --port N                 (default 10259, 0 for not at all): /healthz /livez /readyz /metrics
      --secure-port N          the same over TLS, with:
      --tls-cert-file FILE, --tls-private-key-file FILE
      --logging-format FORMAT  text (default, as klog writes it) or json
  -v, --v N                    how much is logged (default 2; 0 little, 5 much)
  -q, --quiet                  log errors only
  -h, --help                   print this

Exit codes:
  0  it was told to end
  1  the lease was lost: another leads
  2  the cluster, the configuration or the command line cannot be used
  3  stowage failed
`;

export const UP_HELP = `\
Serves a cluster in memory by the API of Kubernetes v1.36, so that kubectl can talk to it, and runs
the scheduler live against it. Deployments, StatefulSets, DaemonSets and Jobs make their pods,
volumes are made and bound, and pods run, as far as anybody can see: there are no containers. What
the scheduler decides is printed as it comes. Nothing is kept when it ends.

Usage:
  stowage up [FILE...] [flags]

Without a FILE there is a sample: six nodes in three zones, a few applications, and one that fits
nowhere. A FILE is YAML or JSON, with one or many documents, or Lists as kubectl prints them; a
directory (with -R those inside of it too); or - for standard input. Objects of a real cluster are
taken as they are, those without a uid as if they had just been created.

Examples:
  # A cluster to play with; then, in another terminal: kubectl --server http://127.0.0.1:8001 get pods
  stowage up

  # That of a dump, with its pods where they are
  kubectl get all,nodes,priorityclasses,pv,pvc,sc,pdb -A -o json > cluster.json
  stowage up -f cluster.json

  # A hundred nodes, and nothing else
  stowage up -f empty.yaml --nodes 100

Flags:
  -f, --filename FILE        the same as a FILE; can be repeated
  -R, --recursive            also read the directories inside of directories
      --host ADDRESS         where it is served (default 127.0.0.1); there is no authentication
      --port N               (default 8001; 0: any that is free)
      --nodes N              how many nodes the sample has, or how many come to those of the files
      --config FILE          a KubeSchedulerConfiguration, YAML or JSON
      --feature-gates A=true,B=false
                             feature gates that differ from their default in v1.36
      --scheduler-name NAME  place the pods of this scheduler (default default-scheduler)
      --no-kubelet           pods stay as the scheduler leaves them: bound, not running
      --history N            changes of each resource that watches can go back (default 10000)
      --record LOG           write the log of the scheduler into a file (.gz: packed), for replay
      --for SECONDS          end after so long, as if told to
  -q, --quiet                print the address alone
  -h, --help                 print this

Exit codes:
  0  it was told to end
  2  the input or the command line is wrong, or the port is in use
  3  stowage failed
`;
