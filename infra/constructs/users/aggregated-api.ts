import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { usersCode } from '../code.ts';
import { PlatformFunction } from '../platform-function.ts';
import type { Platform } from './platform.ts';
import { declaredOne, MEMORY, secretsOf, type UsersFunctionProps } from './users-function.ts';

/** The settings of a user's aggregated API. */
export interface AggregatedApiProps extends UsersFunctionProps {
  /** Concurrent requests, including open watches. Default 20. */
  readonly concurrency?: number;
}

/** Watches of disconnected clients hold their places until they end: without a bound they would take those of all other functions. */
const CONCURRENCY = 20;
/** The length of a watch: Lambda bills it to its end even if its client has gone, and clients start a new one. */
const TIMEOUT = Duration.minutes(5);

/**
 * A user's aggregated API as a function: the API server invokes it for each request to its group version, and passes on its stream. The
 * built-in reconcilers register it.
 */
export class AggregatedApi extends Construct {
  readonly function: PlatformFunction;

  constructor(platform: Platform, id: string, props: AggregatedApiProps) {
    super(platform, id);
    const { context, users, api, reconcilers } = platform;
    const { code, declared } = usersCode(props.entry, context);
    const declaration = declaredOne(declared.apis, props);
    const { name } = declaration;
    const functionName = users.nameOf(name);
    const secrets = secretsOf(this, props.secrets);
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: code,
      handler: 'index.streaming',
      name: functionName,
      description: `Davit: the aggregated API ${name}`,
      timeout: props.timeout ?? TIMEOUT,
      memory: props.memory ?? MEMORY,
      reservedConcurrency: props.concurrency ?? CONCURRENCY,
      environment: { ...props.environment, DAVIT_FUNCTION: name, ...secrets.environment },
      access: [...secrets.access, ...(props.access ?? [])],
    });
    users.addApi(declaration, functionName);
    // The built-in reconcilers read and delete objects by an API server of their own.
    for (const role of [api.role, reconcilers.function.ownRole])
      users.allow(role, 'lambda:InvokeFunction', this.function.functionArn);
    platform.declare(this.function);
  }
}
