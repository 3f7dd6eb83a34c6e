import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Context } from '../../context.ts';
import type { DeclaredFile } from '../code.ts';

/** The parts of the stack that every front door needs. */
export interface DoorProps {
  readonly context: Context;
  readonly environment: Readonly<Record<string, string>>;
  /** The options of the API server, which are shipped with its bundle. */
  readonly options: DeclaredFile;
  /** The permissions of the API server, on any platform. */
  readonly access: readonly PolicyStatement[];
}

/** A front door as the rest of the stack sees it. */
export interface Door {
  /** The endpoint under a name of the platform: scheme, host and possibly a path, without a trailing slash. */
  readonly endpoint: string;
  /** The endpoint of a function that serves only watches. */
  readonly watchEndpoint?: string;
  /** The role of the API server, on any platform. */
  readonly role: IRole;
  readonly logGroup: ILogGroup;
  /** Responses with a 5xx status. */
  readonly faults: IMetric;
  /** Throttled requests. Undefined if the platform does not report them. */
  readonly throttles?: IMetric;
}

/** The maximum share of slots for watches on a platform that gives each request its own environment. */
const WATCH_SHARE = 0.6;

/** The number of concurrent watches for a reserved concurrency. */
export const watchSlots = (reservedConcurrency: number): number => Math.floor(reservedConcurrency * WATCH_SHARE);

/** The limits of an API server that handles each request in its own environment. */
export function limitsOfOneRequest({ reservedConcurrency, requestsPerSecond }: Context) {
  return {
    DAVIT_WATCH_SLOTS: String(watchSlots(reservedConcurrency)),
    ...(requestsPerSecond === 0 ? {} : { DAVIT_REQUESTS_PER_SECOND: String(requestsPerSecond) }),
  };
}
