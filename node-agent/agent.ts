import { createHash, createPublicKey, randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { systemClock } from '#adapters/clock.ts';
import { Machine } from '#adapters/node/host/machine/machine.ts';
import { machineFile } from '#adapters/node/host/machine/machine-file.ts';
import { FileStore } from '#adapters/node/host/records/certificate-store.ts';
import { type ChannelServer, connectChannel } from '#adapters/server/channel/connect.ts';
import type { Remote } from '#adapters/server/http/api-connection.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Collector } from '#lib/machinery/metrics/family.ts';
import { type ClientCertificateOptions, rotateCertificates } from '#lib/node/kubelet/certificate/client-certificate.ts';
import { EventRecorder } from '#lib/node/kubelet/events/event-recorder.ts';
import { initialNode, type Registration } from '#lib/node/kubelet/initial-node.ts';
import { type MachineState, machineFault } from '#lib/node/kubelet/machine-fault.ts';
import { isOfOtherMachine, machineIdentityText } from '#lib/node/kubelet/machine-identity.ts';
import { runNodeLease } from '#lib/node/kubelet/nodelease.ts';
import { readyWithin } from '#lib/node/kubelet/nodestatus/ready-within.ts';
import { StatusTrigger } from '#lib/node/kubelet/nodestatus/status-trigger.ts';
import { syncNodeStatus } from '#lib/node/kubelet/sync-node-status.ts';
import type { PolicyEnforcer } from '#lib/node/networkpolicy/policy-enforcer.ts';
import { type AgentChannelPorts, runAgentChannel } from '#lib/server/channel/agent-channel.ts';
import { NameClaim } from '#lib/server/channel/name-claim.ts';
import { NodeConnection } from './connection.ts';
import { factsOf } from './facts.ts';
import { agentGateway } from './gateway.ts';
import { asInstance } from './instance.ts';
import { join } from './join.ts';
import type { Log } from './log.ts';
import { ClusterObjects } from './network/cluster-objects.ts';
import { runNetwork } from './network/network.ts';
import { NetworkFacts } from './network/network-facts.ts';
import { policyEnforcer } from './network/network-policies.ts';
import type { AgentOptions } from './options.ts';
import { nodeReference } from './pods/context.ts';
import { Following } from './pods/following.ts';
import { NodeObject } from './pods/node-object.ts';
import { type NodePods, nodePods } from './pods/pods.ts';
import { reach } from './reach.ts';
import { agentServer, partsWithoutRuntime, type ServedParts } from './server.ts';
import { type ServingInputs, servePort } from './serving.ts';

const { random } = Math;
const clock = systemClock;
/**
 * Time-outs in ms: how long the first report waits for the container runtime, and how long after the start a node that becomes ready
 * triggers an immediate report.
 */
const FIRST_LOOK = 5000;
const READY_GRACE = 120_000;

/**
 * Joins the machine as a node and keeps it joined until the signal aborts. Rejects if it cannot join, or if another host takes over its
 * name.
 */
export async function runAgent(given: AgentOptions, log: Log, signal: AbortSignal): Promise<void> {
  const { options, guard } = await asInstance(given);
  const { node: name, rootDir } = options;
  await mkdir(rootDir, { recursive: true, mode: 0o700 });
  const host = new Machine({ rootDirectory: rootDir });
  const fault = machineFault(options.configuration, await machineState());
  if (fault !== undefined) throw new Error(fault);
  const store = new FileStore(options.certDir, () => clock.now());
  const certificate = { node: name, store, clock, random };
  const remote = await join(options, certificate, log, signal);
  const pair = await store.current();
  if (pair === undefined) throw new Error(`${store.currentPath} is gone`);
  using connection = new NodeConnection(remote, pair);
  const registration = registrationOf(options);
  const node = new NodeObject(
    connection.client,
    initialNode(await factsOf(host, options), registration, new Date(clock.now())),
  );
  const following = new Following(connection, options, log);
  const parts: Parts = {
    connection,
    host,
    log,
    node,
    recorder: new EventRecorder({
      client: connection.client,
      clock,
      host: name,
      random,
      onFault: log.fault('cannot write an event'),
    }),
    trigger: new StatusTrigger(),
    following,
    objects: new ClusterObjects(following, log),
    enforcer: options.networkPolicies ? policyEnforcer(name, log) : undefined,
    claim: new NameClaim(name, { needsChannel: await isCopied(host, options, log) }),
    networkMetrics: [],
    networkFacts: new NetworkFacts(),
    pods: undefined,
  };
  await Promise.all([
    actForNode(options, parts, signal),
    keepCertificate(certificate, connection, log, signal),
    guard?.keep(log.fault('something removes rules of the firewall'), signal),
    runAgentChannel(await channelPorts(options, remote, parts), signal),
  ]);
}

/** Reports the node and runs its pods once no other host holds its name. */
async function actForNode(options: AgentOptions, parts: Parts, signal: AbortSignal): Promise<void> {
  const { node, configuration } = options;
  await parts.claim.held(signal);
  if (signal.aborted) return;
  await machineFile(options.rootDir).write(machineIdentityText(await parts.host.machineInfo()));
  parts.following.listen('nodes', ({ version }) => {
    const known = parts.node.latest.metadata.resourceVersion;
    if (known !== undefined && Number(version) > Number(known)) parts.trigger.trigger();
  });
  await Promise.all([
    keepStatus(options, parts, signal),
    parts.recorder.run(signal),
    parts.following.run(signal),
    runPods(options, parts, signal),
    runNetwork({ options, ...parts }, signal),
    options.kubeletPort === undefined ? undefined : servePort(servingInputs(options, parts), signal),
    runNodeLease(
      {
        client: parts.connection.client,
        clock,
        node,
        duration: configuration.nodeLeaseDurationSeconds,
        random,
        onFault: parts.log.fault('cannot renew the lease'),
      },
      signal,
    ),
  ]);
}

/**
 * Whether the disk was used by another machine before. That machine may still run the node's pods, so the server has to confirm that it
 * does not.
 */
async function isCopied(host: Machine, { rootDir, node }: AgentOptions, log: Log): Promise<boolean> {
  const file = machineFile(rootDir);
  const isOther = isOfOtherMachine(await file.read(), await host.machineInfo());
  const hint = `node ${node} acts once the server has accepted its channel; without channels, remove ${file.path}`;
  if (isOther) log.info(`the disk comes from another machine: ${hint}`);
  return isOther;
}

const servingInputs = (options: AgentOptions, parts: Parts): ServingInputs => ({
  options,
  connection: parts.connection,
  log: parts.log,
  parts: () => servedOf(parts),
  addresses: () => parts.node.latest.status.addresses ?? [],
});

/** The parts that the node's server exposes, with the metrics of its network. */
function servedOf({ pods, networkMetrics }: Parts): ServedParts {
  const served = pods?.served ?? partsWithoutRuntime;
  return { ...served, metrics: { ...served.metrics, agent: [...served.metrics.agent, ...networkMetrics] } };
}

/** Swap and cgroups of this machine. The machine uses cgroups version 1 if a controller of that version is mounted. */
async function machineState(): Promise<MachineState> {
  const swaps = await readFile('/proc/swaps', 'utf8').catch(() => ''); // a kernel without swap
  const devices = swaps.split('\n').slice(1);
  const mounts = await readFile('/proc/self/mountinfo', 'utf8');
  return { swap: devices.some((line) => line !== ''), cgroups: mounts.includes(' - cgroup ') ? 1 : 2 };
}

interface Parts {
  readonly connection: NodeConnection;
  readonly host: Machine;
  readonly log: Log;
  readonly node: NodeObject;
  readonly recorder: EventRecorder;
  /** Triggers a status report after a short delay. */
  readonly trigger: StatusTrigger;
  readonly claim: NameClaim;
  readonly following: Following;
  readonly networkMetrics: Collector[];
  readonly objects: ClusterObjects;
  /** Undefined if the agent does not enforce network policies. */
  readonly enforcer: PolicyEnforcer | undefined;
  readonly networkFacts: NetworkFacts;
  /** Undefined until a container runtime responds. */
  pods: NodePods | undefined;
}

const registrationOf = ({ labels, configuration }: AgentOptions): Registration => ({
  labels,
  taints: configuration.registerWithTaints.map((taint) => defined(taint)),
  providerID: configuration.providerID,
});

/** Runs the pods of the node once a container runtime responds. */
async function runPods(options: AgentOptions, parts: Parts, signal: AbortSignal): Promise<void> {
  parts.pods = await nodePods({ options, ...parts }, signal);
  parts.log.info('the container runtime answers');
  await parts.pods?.run(signal);
}

/**
 * Reports the status. A restart of the agent must not show a ready node as NotReady, because its endpoints would be removed. So the first
 * report waits for the container runtime.
 */
async function keepStatus(options: AgentOptions, parts: Parts, signal: AbortSignal): Promise<void> {
  const isReady = (): boolean => parts.pods?.errors().length === 0;
  const wasReady = await readyWithin(clock, isReady, FIRST_LOOK, signal);
  const reporting = reportStatus(options, parts, signal);
  if (!wasReady && (await readyWithin(clock, isReady, READY_GRACE, signal))) parts.trigger.trigger();
  await reporting;
}

const reportStatus = (options: AgentOptions, parts: Parts, signal: AbortSignal): Promise<void> =>
  syncNodeStatus(
    {
      client: parts.connection.client,
      clock,
      node: options.node,
      registration: registrationOf(options),
      updateFrequency: options.configuration.nodeStatusUpdateFrequency,
      reportFrequency: options.configuration.nodeStatusReportFrequency,
      random,
      facts: async () => ({
        ...(await factsOf(parts.host, options, await parts.pods?.facts())),
        ...defined({ network: parts.networkFacts.state }),
      }),
      trigger: parts.trigger,
      event: ({ type, reason, message }) =>
        parts.recorder.event(nodeReference(parts.node.latest), type, reason, message),
      isNewest: (version) => parts.following.isNewestNode(version),
      seen: (node) => parts.node.seen(node),
      registered() {
        parts.log.info(`node ${options.node} is registered`);
        parts.pods?.registered();
      },
      onFault: parts.log.fault('cannot report the status'),
    },
    signal,
  );

const keepCertificate = (
  certificate: ClientCertificateOptions,
  connection: NodeConnection,
  log: Log,
  signal: AbortSignal,
): Promise<void> =>
  rotateCertificates(
    {
      ...certificate,
      client: connection.client,
      rotated(pair) {
        connection.replace(pair);
        log.info('the certificate was rotated');
      },
      onFault: log.fault('cannot rotate the certificate'),
    },
    signal,
  );

/** Creates the ports of a channel whose streams are connections to the node's own server. */
async function channelPorts(
  { node, configuration, kubeletPort }: AgentOptions,
  remote: Remote,
  parts: Parts,
): Promise<AgentChannelPorts> {
  const { connection, host, log, claim, following } = parts;
  const { machineID, bootID } = await host.machineInfo();
  const served = (): ServedParts => servedOf(parts);
  const instance = { key: thumbprintOf(connection.pair.key), machineId: machineID, bootId: bootID };
  const hello = { session: randomUUID(), instance };
  return {
    clock,
    node,
    random,
    hello,
    gateway: agentGateway(connection.requests, node, hello),
    connect: (message, ending) => {
      const signed: ChannelServer['signed'] = (request) => connection.signer.headers(request);
      return connectChannel({ ...remote, ...connection.pair, signed }, node, message, ending);
    },
    accept: reach(
      agentServer(configuration, served, log),
      {
        pods: () => served().pods.pods(),
        podByName: (...name) => served().pods.podByName(...name),
        podStatus: (uid) => served().pods.podStatus(uid),
      },
      kubeletPort,
    ),
    ring: (body) => following.ring(body),
    report(state) {
      log.info(state.connected ? 'the channel stands' : `the channel is lost: ${state.reason}`);
      following.take(state);
      claim.take(state);
    },
  };
}

/** A digest of the public key. */
const thumbprintOf = (key: string): string =>
  createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url');
