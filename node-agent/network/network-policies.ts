import { systemClock as clock } from '#adapters/clock.ts';
import { filterBridges } from '#adapters/node/host/network/bridge-filter.ts';
import { nft } from '#adapters/node/nftables/nft.ts';
import { nftTables } from '#adapters/node/nftables/other-proxies.ts';
import { typedObject } from '#lib/api/typed.ts';
import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import { NAMESPACES, NETWORK_POLICIES, PODS } from '#lib/api/types/resources.ts';
import { bridgeFilterMissing, warningsOf } from '#lib/node/networkpolicy/events.ts';
import { TABLE } from '#lib/node/networkpolicy/nftables/table.ts';
import { PolicyEnforcer } from '#lib/node/networkpolicy/policy-enforcer.ts';
import type { Log } from '../log.ts';
import { nodeReference } from '../pods/context.ts';
import type { NetworkContext } from './context.ts';

/** Interval in ms between checks of the host's tables. */
const LOOK = 10_000;

/** The enforcer of a node's policies, with this host's nftables. */
export const policyEnforcer = (node: string, log: Log): PolicyEnforcer =>
  new PolicyEnforcer({ node, nftables: nft, clock, onFault: (what, error) => log.fault(what)(error) });

/** Enforces network policies with kernel rules. The rules stay after the signal aborts. */
export async function runNetworkPolicies(
  context: NetworkContext,
  enforcer: PolicyEnforcer,
  signal: AbortSignal,
): Promise<void> {
  follow(context, enforcer);
  await seeBridges(context);
  context.log.info('network policies are enforced by nftables');
  await Promise.all([enforcer.run(signal), lookAtTable(context, enforcer, signal)]);
}

function follow(context: NetworkContext, enforcer: PolicyEnforcer): void {
  const { objects } = context;
  objects.listen(PODS, {
    take: ({ type, namespace, name, object }) =>
      type === 'DELETED' ? enforcer.deletePod(namespace, name) : enforcer.putPod(typedObject(PODS, object())),
    listed: () => enforcer.listed('pods'),
  });
  objects.listen(NAMESPACES, {
    take: ({ type, name, object }) =>
      type === 'DELETED' ? enforcer.deleteNamespace(name) : enforcer.putNamespace(typedObject(NAMESPACES, object())),
    listed: () => enforcer.listed('namespaces'),
  });
  objects.listen(NETWORK_POLICIES, {
    take: ({ type, namespace, name, object }) => {
      if (type === 'DELETED') return enforcer.deletePolicy(namespace, name);
      const policy = typedObject(NETWORK_POLICIES, object());
      enforcer.putPolicy(policy);
      tellProblems(context, policy);
    },
    listed: () => enforcer.listed('policies'),
  });
}

/** Called once for each version of a policy. */
function tellProblems({ recorder }: NetworkContext, policy: NetworkPolicy): void {
  const about = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: policy.metadata };
  for (const { reason, message } of warningsOf(policy)) recorder.event(about, 'Warning', reason, message);
}

/** Makes bridged packets between pods pass the rules. */
async function seeBridges({ log, recorder, node }: NetworkContext): Promise<void> {
  for (const { setting, error } of await filterBridges()) {
    log.fault(`cannot set ${setting} to 1`)(error);
    const { reason, message } = bridgeFilterMissing(setting);
    recorder.event(nodeReference(node.latest), 'Warning', reason, message);
  }
}

async function lookAtTable({ log }: NetworkContext, enforcer: PolicyEnforcer, signal: AbortSignal): Promise<void> {
  const table = `${TABLE.family} ${TABLE.name}`;
  while (!signal.aborted) {
    try {
      const wasApplied = enforcer.isApplied;
      if (!(await nftTables()).includes(table) && wasApplied) {
        log.info(`something removed the table ${table}`);
        enforcer.removed();
      }
    } catch (error) {
      log.fault('cannot look at the tables of nftables')(error);
    }
    await clock.sleep(LOOK, signal);
  }
}
