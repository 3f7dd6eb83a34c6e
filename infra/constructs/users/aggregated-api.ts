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

/**
 * The default concurrency. Watches of disconnected clients use it until they end. Without a limit they would use up the account's
 * concurrency.
 */
const CONCURRENCY = 20;
/**
 * The duration of a watch. Lambda bills a watch until it ends, even after the client disconnects. Clients start a new watch after the end.
 */
const TIMEOUT = Duration.minutes(5);

/**
 * A user's aggregated API as a function. The API server invokes it for each request to its group version, and forwards its stream. The
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
    // The built-in reconcilers read and delete objects via their own API server.
    for (const role of [api.role, reconcilers.function.ownRole])
      users.allow(role, 'lambda:InvokeFunction', this.function.functionArn);
    platform.declare(this.function);
  }
}
