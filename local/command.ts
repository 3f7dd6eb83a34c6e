import { Command } from 'commander';
import type { NodeRangeFlags } from '#lib/controllers/node-ipam/ranges.ts';
import type { AdmissionFlags } from '#lib/server/options/admission.ts';
import type { AuditFlags } from '#lib/server/options/audit.ts';
import type { AuthenticationFlags } from '#lib/server/options/authentication.ts';
import type { AuthorizationFlags } from '#lib/server/options/authorization.ts';
import type { EncryptionFlags } from '#lib/server/options/encryption.ts';
import type { FlowControlFlags } from '#lib/server/options/flow-control.ts';
import type { ServiceAccountFlags } from '#lib/server/options/service-account.ts';
import { admissionFlags } from './flags/admission.ts';
import { auditFlags } from './flags/audit.ts';
import { authenticationFlags } from './flags/authentication.ts';
import { authorizationFlags } from './flags/authorization.ts';
import { type ConfigFlags, configFlags } from './flags/config.ts';
import { type ControllerFlags, controllerFlags } from './flags/controller.ts';
import { encryptionFlags } from './flags/encryption.ts';
import { type FeatureGateFlags, featureGateFlags } from './flags/feature-gate.ts';
import { flowControlFlags } from './flags/flow-control.ts';
import { type FunctionFlags, functionFlags } from './flags/function.ts';
import { helpFlags } from './flags/help.ts';
import { type KubeconfigFlags, kubeconfigFlags } from './flags/kubeconfig.ts';
import { type KubeletFlags, kubeletFlags } from './flags/kubelet.ts';
import { type MetricsApiFlags, metricsApiFlags } from './flags/metrics-api.ts';
import { nodeRangeFlags } from './flags/node-range.ts';
import { type ProxyClientFlags, proxyClientFlags } from './flags/proxy-client.ts';
import { type SchedulerFlags, schedulerFlags } from './flags/scheduler.ts';
import { type ServerFlags, serverFlags } from './flags/server.ts';
import { serviceAccountFlags } from './flags/service-account.ts';
import { type SimulatedNodesFlags, simulatedNodesFlags } from './flags/simulated-nodes.ts';
import { type TlsFlags, tlsFlags } from './flags/tls.ts';

/** All flags of the local server. */
export interface Flags
  extends ServerFlags,
    ConfigFlags,
    KubeconfigFlags,
    TlsFlags,
    AuthenticationFlags,
    ServiceAccountFlags,
    AuthorizationFlags,
    AdmissionFlags,
    EncryptionFlags,
    AuditFlags,
    FeatureGateFlags,
    FlowControlFlags,
    ControllerFlags,
    FunctionFlags,
    NodeRangeFlags,
    KubeletFlags,
    ProxyClientFlags,
    MetricsApiFlags,
    SchedulerFlags,
    SimulatedNodesFlags {}

/** The flags by topic: the heading in `--help-all`, and the function that adds them. The reference has the same order. */
const GROUPS: readonly (readonly [heading: string, add: (command: Command) => Command])[] = [
  ['Server', serverFlags],
  ['Configuration file', configFlags],
  ['Help', helpFlags],
  ['Kubeconfig', kubeconfigFlags],
  ['Certificate', tlsFlags],
  ['Authentication', authenticationFlags],
  ['Service accounts', serviceAccountFlags],
  ['Authorization', authorizationFlags],
  ['Admission', admissionFlags],
  ['Encryption at rest', encryptionFlags],
  ['Audit', auditFlags],
  ['Feature gates', featureGateFlags],
  ['Priority and fairness', flowControlFlags],
  ['Controllers', controllerFlags],
  ['Functions', functionFlags],
  ['Addresses of pods', nodeRangeFlags],
  ['Kubelets', kubeletFlags],
  ['Aggregated API servers', proxyClientFlags],
  ['Metrics of nodes and pods', metricsApiFlags],
  ['Scheduler', schedulerFlags],
  ['Simulated nodes', simulatedNodesFlags],
];

/** The `davit` command with every flag; nothing is parsed yet. */
export function davitCommand(): Command {
  const command = new Command('davit')
    .usage('[command] [flags]')
    .description('A Kubernetes control plane in one process.');
  return GROUPS.reduce((built, [heading, add]) => add(built.optionsGroup(`${heading}:`)), command);
}
