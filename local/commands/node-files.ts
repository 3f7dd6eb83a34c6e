import { stringify } from 'yaml';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import type { Files } from './files.ts';
import { type NetworkChoice, networkFlags } from './node-network.ts';

/** The settings of a node's host. */
export interface JoinSettings {
  /** Whether the host runs upstream's kubelet; otherwise it runs davit-node-agent. */
  readonly kubelet: boolean;
  /** Whether the script installs a systemd service. */
  readonly service: boolean;
  readonly node: string;
  /** The cluster's id, for EC2 instances that join with their instance identity. Node, token and expiration are then ''. */
  readonly clusterId?: string;
  /** The URL of the API server. */
  readonly server: string;
  /** CA certificates in PEM that verify the API server; '' selects the host's trusted roots. */
  readonly serverAuthority: string;
  /** CA certificates in PEM that verify clients of the kubelet; '' for the agent, which listens on no port. */
  readonly clientAuthority: string;
  /** The bootstrap token, `id.secret`. */
  readonly token: string;
  /** When the token expires, RFC 3339. */
  readonly expiration: string;
  /** The directory of the files on the host. */
  readonly directory: string;
  /** Whether the kubelet requests its serving certificate from the API. */
  readonly servingCertificate: boolean;
  /** The parts of the node's network that the agent sets up. */
  readonly network: NetworkChoice;
  /** Whether the API runs in functions, where each heartbeat costs money. */
  readonly inAccount: boolean;
}

const BOOTSTRAP = 'bootstrap-kubelet.conf';
const CONFIG = 'kubelet-config.yaml';
const CLIENT_CA = 'client-ca.crt';
const UNIT = '/etc/systemd/system/davit-node-agent.service';

/** The files of a host that joins, by their names in its directory. */
export const joinFiles = (joining: JoinSettings): Files => ({
  [BOOTSTRAP]: bootstrapKubeconfig(joining),
  [CONFIG]: joining.kubelet ? kubeletConfiguration(joining) : agentConfiguration(joining),
  ...(joining.kubelet ? { [CLIENT_CA]: joining.clientAuthority } : {}),
});

/** The command that starts the host's program. The program writes kubelet.conf itself after it has obtained its certificate. */
export const joinCommand = ({ kubelet, node, clusterId, directory, network }: JoinSettings): string =>
  [
    kubelet ? 'kubelet' : 'davit-node-agent',
    `--bootstrap-kubeconfig=${directory}/${BOOTSTRAP}`,
    `--kubeconfig=${directory}/kubelet.conf`,
    `--config=${directory}/${CONFIG}`,
    clusterId === undefined ? `--hostname-override=${node}` : `--ec2-identity=${clusterId}`,
    ...networkFlags(network),
  ].join(' ');

/** Ends the script before it writes the token to a host that cannot use it. */
const NEEDS_AGENT = `command -v davit-node-agent >/dev/null || {
  echo 'davit-node-agent is not installed: run npm install -g with the tarball that npm pack makes in a checkout of Davit' >&2
  exit 1
}
`;

/** The first lines of the script. EC2 instances only run user data that starts with an interpreter line. */
const titleOf = ({ node, clusterId, server, expiration }: JoinSettings): string =>
  clusterId === undefined
    ? `# Run this as root on the host that joins ${server} as node ${node}, before ${expiration}. It holds a token: keep it secret.`
    : `#!/bin/sh\n# Run this as root on each EC2 instance that joins ${server}. It holds no secret.`;

/** A shell script that writes files that only their owner can access. It then runs the program with the original umask, or as a service. */
export function joinScript(joining: JoinSettings): string {
  const { directory } = joining;
  const files = Object.entries(joinFiles(joining));
  return `${titleOf(joining)}
set -e
${joining.kubelet ? '' : NEEDS_AGENT}(
umask 077
mkdir -p ${directory}
${files.map(([name, text]) => `cat >${directory}/${name} <<'EOF'\n${text}EOF\n`).join('')})
${joining.service ? installService(joining) : `exec ${joinCommand(joining)}\n`}`;
}

/** Pods continue while the agent restarts, because systemd stops only the agent's process. */
const installService = (joining: JoinSettings): string => `program=$(command -v davit-node-agent)
cat >${UNIT} <<EOF
[Unit]
Description=Davit node agent
Wants=network-online.target
After=network-online.target containerd.service

[Service]
ExecStart=$program ${joinCommand(joining).split(' ').slice(1).join(' ')}
Restart=always
RestartSec=2
KillMode=process
OOMScoreAdjust=-999
LimitNOFILE=1000000

[Install]
WantedBy=multi-user.target
EOF
systemctl daemon-reload
systemctl enable --now davit-node-agent
`;

const bootstrapKubeconfig = ({ server, serverAuthority, token }: JoinSettings): string =>
  kubeconfigOf({
    name: { cluster: 'default', user: 'bootstrap', context: 'default' },
    server,
    authority: serverAuthority,
    user: token === '' ? {} : { token },
  });

/**
 * Sets only DNS settings of pods and hairpin traffic (a pod that reaches itself via a Service). The agent's other defaults are suitable.
 * Kernels since 6.9 lose the conntrack entry of a packet that a promiscuous bridge passes to its host.
 */
const agentConfiguration = ({ network, inAccount }: JoinSettings): string =>
  stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    ...(network === 'all' ? { hairpinMode: 'hairpin-veth' } : {}),
    ...(inAccount ? HEARTBEATS : {}),
  });

/** Renews the Lease after a quarter of its duration: every 60 s instead of every 10 s. */
const HEARTBEATS = {
  nodeLeaseDurationSeconds: 240,
  nodeStatusUpdateFrequency: '60s',
  nodeStatusReportFrequency: '15m',
};

/** Equals kubeadm's configuration, except for the values that kubeadm reads from its own other files. */
const kubeletConfiguration = ({ directory, servingCertificate, inAccount }: JoinSettings): string =>
  stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${directory}/${CLIENT_CA}` },
    },
    authorization: { mode: 'Webhook' },
    cgroupDriver: 'systemd',
    clusterDNS: ['10.96.0.10'],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    rotateCertificates: true,
    ...(servingCertificate ? { serverTLSBootstrap: true } : {}),
    ...(inAccount ? HEARTBEATS : {}),
  });
