import type { Clock } from '#lib/machinery/clock.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { isObject, stringAt } from '#lib/machinery/json-value.ts';
import { isInstanceId } from '../node-bootstrap.ts';
import { type AwsCredentials, awsToken } from './presign.ts';

/** The metadata service of the EC2 instance that runs this program. */
export interface InstanceMetadata {
  /** The text at a path. Rejects with an Error that names the path if it does not exist or the service is unavailable. */
  get(path: string): Promise<string>;
}

/** An EC2 instance. */
export interface Instance {
  readonly id: string;
  readonly region: string;
}

const ROLES = '/latest/meta-data/iam/security-credentials/';
const REGION = /^[a-z]{2}(?:-[a-z]+)+-\d$/;
/** The role names that IAM allows. */
const ROLE = /^[\w+=,.@-]{1,64}$/;
/** The time in ms before its expiry at which a token is replaced. */
const EARLY = 60_000;

/** The EC2 instance that runs this program. Rejects if the metadata are incomplete. */
export async function instanceOf(metadata: InstanceMetadata): Promise<Instance> {
  const [id, region] = await Promise.all([
    metadata.get('/latest/meta-data/instance-id'),
    metadata.get('/latest/meta-data/placement/region'),
  ]);
  if (!isInstanceId(id)) throw new Error('the metadata of the instance have no instance id');
  if (!REGION.test(region)) throw new Error('the metadata of the instance have no region');
  return { id, region };
}

/** The credentials of the instance's role, which expire after some hours. Rejects if the instance has no role. */
async function credentialsOf(metadata: InstanceMetadata): Promise<AwsCredentials> {
  const [role = ''] = (await metadata.get(ROLES)).split('\n');
  if (!ROLE.test(role)) throw new Error('the instance has no role');
  const { value } = decodeJson(Buffer.from(await metadata.get(`${ROLES}${role}`)), { maxDepth: 4 });
  const found = isObject(value) ? value : undefined;
  const [accessKeyId = '', secretAccessKey = '', sessionToken = ''] = ['AccessKeyId', 'SecretAccessKey', 'Token'].map(
    (field) => stringAt(found, field),
  );
  if (accessKeyId === '' || secretAccessKey === '' || sessionToken === '')
    throw new Error(`the metadata of the instance have no credentials of the role ${role}`);
  return { accessKeyId, secretAccessKey, sessionToken };
}

/** The ports for tokens of an instance. */
export interface InstanceTokenPorts {
  readonly metadata: InstanceMetadata;
  readonly clock: Clock;
  readonly region: string;
  /** The cluster for which the tokens are valid. */
  readonly clusterId: string;
}

/**
 * Returns a function that returns a token for the instance. `refused` is a token that the API server rejected. Rejects if the metadata
 * service does.
 */
export function instanceTokens({ metadata, clock, region, clusterId }: InstanceTokenPorts) {
  let known: ReturnType<typeof awsToken> | undefined;
  return async (refused?: string): Promise<string> => {
    const isGood = known !== undefined && known.token !== refused && clock.now() < known.expires - EARLY;
    if (isGood && known !== undefined) return known.token;
    known = awsToken({ credentials: await credentialsOf(metadata), region, clusterId, now: clock.now() });
    return known.token;
  };
}
