import { systemClock as clock } from '#adapters/clock.ts';
import { HttpInstanceMetadata } from '#adapters/node/host/machine/instance-metadata.ts';
import { MetadataGuard } from '#adapters/node/host/network/metadata-guard.ts';
import { instanceOf, instanceTokens } from '#lib/server/authentication/aws/instance-identity.ts';
import type { AgentOptions } from './options.ts';

/** An agent that joins as its EC2 instance. */
interface InstanceAgent {
  /** The options with the instance's id as the node name, and its identity in place of a bootstrap token. */
  readonly options: AgentOptions;
  /** Absent if the node joins with a bootstrap token. */
  readonly guard?: MetadataGuard;
}

/**
 * The options of an agent, with the identity of the EC2 instance if they ask for it. It uses the identity only after pods are blocked from
 * it. Rejects if they cannot be blocked, or if the metadata service does not answer.
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
