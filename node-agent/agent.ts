import { createHash, createPublicKey, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { connectChannel } from '#adapters/channel/connect.ts';
import { systemClock } from '#adapters/clock.ts';
import { FileStore } from '#adapters/host/certificate-store.ts';
import { Machine } from '#adapters/host/machine.ts';
import type { Remote } from '#adapters/http/api-connection.ts';
import { runAgentChannel, type AgentChannelPorts } from '#lib/channel/agent-channel.ts';
import { rotateCertificates, type ClientCertificateOptions } from '#lib/kubelet/certificate/client-certificate.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { Host } from '#lib/kubelet/host.ts';
import { runNodeLease } from '#lib/kubelet/nodelease.ts';
import { syncNodeStatus } from '#lib/kubelet/sync-node-status.ts';
import { NodeConnection } from './connection.ts';
import { factsOf } from './facts.ts';
import { join } from './join.ts';
import type { Log } from './log.ts';
import type { AgentOptions } from './options.ts';
import { reach } from './reach.ts';
import { agentServer, partsWithoutRuntime } from './server.ts';

const { random } = Math;
const clock = systemClock;

/** Joins the machine as a node and keeps it there until the signal aborts. Rejects where it cannot join. */
export async function runAgent(options: AgentOptions, log: Log, signal: AbortSignal): Promise<void> {
  const { node, rootDir, configuration } = options;
  await mkdir(rootDir, { recursive: true, mode: 0o700 });
  const host = new Machine({ rootDirectory: rootDir });
  const store = new FileStore(options.certDir, () => clock.now());
  const certificate = { node, store, clock, random };
  const remote = await join(options, certificate, log, signal);
  const pair = await store.current();
  if (pair === undefined) throw new Error(`${store.currentPath} is gone`);
  using connection = new NodeConnection(remote, pair);
  await Promise.all([
    keepStatus(options, { connection, host, log }, signal),
    runNodeLease(
      {
        client: connection.client,
        clock,
        node,
        duration: configuration.nodeLeaseDurationSeconds,
        random,
        onFault: log.fault('cannot renew the lease'),
      },
      signal,
    ),
    keepCertificate(certificate, connection, log, signal),
    runAgentChannel(await channelPorts(options, remote, { connection, host, log }), signal),
  ]);
}

interface Parts {
  readonly connection: NodeConnection;
  readonly host: Host;
  readonly log: Log;
}

const keepStatus = (options: AgentOptions, { connection, host, log }: Parts, signal: AbortSignal): Promise<void> =>
  syncNodeStatus(
    {
      client: connection.client,
      clock,
      node: options.node,
      registration: {
        labels: options.labels,
        taints: options.configuration.registerWithTaints.map((taint) => defined(taint)),
        providerID: options.configuration.providerID,
      },
      updateFrequency: options.configuration.nodeStatusUpdateFrequency,
      reportFrequency: options.configuration.nodeStatusReportFrequency,
      random,
      facts: () => factsOf(host, options),
      registered: () => log.info(`node ${options.node} is registered`),
      onFault: log.fault('cannot report the status'),
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

/** A channel whose streams are connections to the node's own server. */
async function channelPorts(
  { node, configuration }: AgentOptions,
  remote: Remote,
  { connection, host, log }: Parts,
): Promise<AgentChannelPorts> {
  const { machineID, bootID } = await host.machineInfo();
  const parts = partsWithoutRuntime;
  return {
    clock,
    node,
    random,
    hello: {
      session: randomUUID(),
      instance: { key: thumbprintOf(connection.pair.key), machineId: machineID, bootId: bootID },
    },
    connect: (message, ending) => connectChannel({ ...remote, ...connection.pair }, node, message, ending),
    accept: reach(agentServer(configuration, parts, log), parts.pods),
    ring: () => undefined,
    report: (state) => log.info(state.connected ? 'the channel stands' : `the channel is lost: ${state.reason}`),
  };
}

/** A digest of the public key. */
const thumbprintOf = (key: string): string =>
  createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url');
