import { stringify } from 'yaml';
import type { Files } from './files.ts';

/** The settings of a node's host. */
export interface JoinSettings {
  readonly node: string;
  /** The URL of the API server. */
  readonly server: string;
  /** Verifies the API server, PEM; '' trusts the host's roots. */
  readonly serverAuthority: string;
  /** Verifies clients of the kubelet, PEM. */
  readonly clientAuthority: string;
  /** The bootstrap token, `id.secret`. */
  readonly token: string;
  /** When it ends, RFC 3339. */
  readonly expiration: string;
  /** Where the files are on the host. */
  readonly directory: string;
  /** Whether the kubelet asks the API for its serving certificate. */
  readonly servingCertificate: boolean;
}

const BOOTSTRAP = 'bootstrap-kubelet.conf';
const CONFIG = 'kubelet-config.yaml';
const CLIENT_CA = 'client-ca.crt';

/** The files of a host that joins, by their names in its directory. */
export const joinFiles = (joining: JoinSettings): Files => ({
  [BOOTSTRAP]: bootstrapKubeconfig(joining),
  [CONFIG]: kubeletConfiguration(joining),
  [CLIENT_CA]: joining.clientAuthority,
});

/** How the kubelet is started. It writes kubelet.conf itself, when it has its certificate. */
export const kubeletCommand = ({ node, directory }: JoinSettings): string =>
  [
    'kubelet',
    `--bootstrap-kubeconfig=${directory}/${BOOTSTRAP}`,
    `--kubeconfig=${directory}/kubelet.conf`,
    `--config=${directory}/${CONFIG}`,
    `--hostname-override=${node}`,
  ].join(' ');

/** A shell script that writes the files, for their owner alone, and runs the kubelet with the mask that it found. */
export function joinScript(joining: JoinSettings): string {
  const { node, server, expiration, directory } = joining;
  const files = Object.entries(joinFiles(joining));
  return `# Run this as root on the host that joins ${server} as node ${node}, before ${expiration}. It holds a token: keep it secret.
set -e
(
umask 077
mkdir -p ${directory}
${files.map(([name, text]) => `cat >${directory}/${name} <<'EOF'\n${text}EOF\n`).join('')})
exec ${kubeletCommand(joining)}
`;
}

function bootstrapKubeconfig({ server, serverAuthority, token }: JoinSettings): string {
  const authority = Buffer.from(serverAuthority).toString('base64');
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'default',
        cluster: { server, ...(serverAuthority === '' ? {} : { 'certificate-authority-data': authority }) },
      },
    ],
    users: [{ name: 'bootstrap', user: { token } }],
    contexts: [{ name: 'default', context: { cluster: 'default', user: 'bootstrap' } }],
    'current-context': 'default',
  });
}

/** As kubeadm's, but for what it takes from other files of its own. */
const kubeletConfiguration = ({ directory, servingCertificate }: JoinSettings): string =>
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
  });
