import { systemClock as clock } from '#adapters/clock.ts';
import { HttpInstanceMetadata } from '#adapters/node/host/machine/instance-metadata.ts';
import { MetadataGuard } from '#adapters/node/host/network/metadata-guard.ts';
import { instanceOf, instanceTokens } from '#lib/server/authentication/aws/instance-identity.ts';
import type { AgentOptions } from './options.ts';

/** An agent that joins as its EC2 instance. */
interface InstanceAgent {
  /** With the instance's id for the name of the node, and its identity in place of a bootstrap token. */
  readonly options: AgentOptions;
  /** Absent where the node joins by a bootstrap token. */
  readonly guard?: MetadataGuard;
}

/**
 * The options of an agent, where they ask for the identity of the EC2 instance: only once pods are kept from it. Rejects where they are not,
 * and where the metadata service does not answer.
 */
export async function asInstance(options: AgentOptions): Promise<InstanceAgent> {
  const { ec2Identity: clusterId } = options;
  if (clusterId === undefined) return { options };
  const guard = new MetadataGuard({ clock });
  await guard.install();
  const metadata = new HttpInstanceMetadata(process.env['AWS_EC2_METADATA_SERVICE_ENDPOINT']);
  const { id, region } = await instanceOf(metadata);
  const bootstrapToken = instanceTokens({ metadata, clock, region, clusterId });
  return { guard, options: { ...options, node: id, bootstrapToken } };
}
