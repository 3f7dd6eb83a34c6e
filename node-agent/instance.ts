import { systemClock as clock } from '#adapters/clock.ts';
import { HttpInstanceMetadata } from '#adapters/node/host/machine/instance-metadata.ts';
import { MetadataGuard } from '#adapters/node/host/network/metadata-guard.ts';
import { instanceOf, instanceTokens } from '#lib/server/authentication/aws/instance-identity.ts';
import type { AgentOptions } from './options.ts';

/** An agent that joins with the identity of its EC2 instance. */
interface InstanceAgent {
  /** The options with the instance's id as the node name, and its identity instead of a bootstrap token. */
  readonly options: AgentOptions;
  /** Absent if the node joins with a bootstrap token. */
  readonly guard?: MetadataGuard;
}

/**
 * Returns the options of an agent, with the identity of the EC2 instance if the options request it. The identity is used only after pods
 * are blocked from it. Rejects if pods cannot be blocked, or if the metadata service does not respond.
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
