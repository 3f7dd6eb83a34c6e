import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { recordedFiles } from '#adapters/server/files/shipped-files.ts';
import {
  DEPLOYED_FLAGS,
  type DeployedFlags,
  deployedFlagsIn,
  type Shipped,
} from '#lib/server/options/deployed-flags.ts';
import { READERS, type ServerOptions } from '#lib/server/options/server-options.ts';
import { type Context, ContextError } from '../context.ts';
import type { DeclaredFile } from './code.ts';

/** The name of the file in a bundle. */
const NAME = 'apiserver.json';

/**
 * The API server's options from the context, with the texts of the files that they name. The file ships with every function that contains
 * an API server. Decodes the options in the same way as the function. Throws ContextError, one line.
 */
export function serverOptionsFile(scope: Construct, context: Context): DeclaredFile {
  const flags = deployedFlagsIn(context);
  if (flags === undefined) return { name: NAME, text: () => undefined };
  const texts = new Map<string, string>();
  const files = recordedFiles(diskFiles(), texts);
  const read: Partial<ServerOptions> = {};
  for (const subject of SUBJECTS) {
    const given = Object.keys(DEPLOYED_FLAGS[subject]).filter((name) => Object.hasOwn(flags, name));
    if (given.length > 0)
      Object.assign(
        read,
        named(given, () => READERS[subject](flags, files)),
      );
  }
  const { authentication, warnings = [] } = read;
  checkCluster(authentication?.aws?.map.clusterId, context);
  checkAudit(flags);
  checkLimits(flags, context);
  for (const warning of warnings) Annotations.of(scope).addWarningV2('davit:featureGates', warning);
  const text = JSON.stringify({ flags, files: Object.fromEntries([...texts].sort()) } satisfies Shipped);
  return { name: NAME, text: () => text };
}

const SUBJECTS = [
  'authentication',
  'serviceAccounts',
  'authorization',
  'admission',
  'audit',
  'featureGates',
  'flowControl',
] as const satisfies (keyof typeof DEPLOYED_FLAGS)[];

/** Rethrows an error as a ContextError that names the given context values. */
function named<T>(given: readonly string[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = error.message.trim().replaceAll(/\s*\n\s*/g, ' ');
    throw new ContextError(`context ${given.join(', ')}: ${line}`, { cause: error });
  }
}

function checkCluster(mapped: string | undefined, { clusterId }: Context): void {
  if (mapped !== undefined && mapped !== clusterId)
    throw new ContextError(`context awsIdentityMap: its clusterID is ${mapped}, and clusterId is ${clusterId}`);
}

/** Rejects queueing. With these front doors, an environment serves one request at a time, so no request is queued. */
function checkLimits(flags: DeployedFlags, { frontDoor }: Context): void {
  const limit = Object.keys(DEPLOYED_FLAGS.flowControl).find((name) => Object.hasOwn(flags, name));
  if (limit !== undefined && ['function-url', 'rest'].includes(frontDoor))
    throw new ContextError(
      `context ${limit} has no effect with frontDoor=${frontDoor}, whose environments serve one request at a time: reservedConcurrency limits them`,
    );
}

/** Rejects audit sinks without a policy, which would receive nothing. */
function checkAudit(flags: DeployedFlags): void {
  const sink = Object.keys(DEPLOYED_FLAGS.audit).find((name) => Object.hasOwn(flags, name));
  if (sink !== undefined && flags.auditPolicyFile === undefined)
    throw new ContextError(`context ${sink} needs auditPolicyFile`);
}
