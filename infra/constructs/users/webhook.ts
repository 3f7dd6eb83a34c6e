import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { usersCode } from '../code.ts';
import { PlatformFunction } from '../platform-function.ts';
import type { Platform } from './platform.ts';
import { declaredOne, MEMORY, secretsOf, type UsersFunctionProps } from './users-function.ts';

/** Upstream's default time-out of a webhook, in seconds. */
const PATIENCE = 10;
const WAITS: Readonly<Partial<Record<WebhookDeclaration['type'], number>>> = { Conversion: 30, SubjectAccessReview: 3 };

/**
 * A user's webhook as a function, which the API server invokes. Its configuration is generated from the declaration in its file. Reviews of
 * tokens, access and images have no configuration object. For these, the API server's settings name the function.
 */
export class Webhook extends Construct {
  readonly function: PlatformFunction;

  constructor(platform: Platform, id: string, props: UsersFunctionProps) {
    super(platform, id);
    const { context, users, api, reconcilers, scheduler } = platform;
    const { code, declared } = usersCode(props.entry, context);
    const declaration = declaredOne(declared.webhooks, props);
    const { name } = declaration;
    const timeout = 'timeoutSeconds' in declaration ? declaration.timeoutSeconds : undefined;
    const waits = timeout ?? WAITS[declaration.type] ?? PATIENCE;
    const functionName = users.nameOf(name);
    const secrets = secretsOf(this, props.secrets);
    this.function = new PlatformFunction(this, 'Function', {
      context,
      bundle: code,
      name: functionName,
      description: `Davit: the webhook ${name}`,
      timeout: props.timeout ?? Duration.seconds(waits),
      memory: props.memory ?? MEMORY,
      environment: { ...props.environment, DAVIT_FUNCTION: name, ...secrets.environment },
      access: [...secrets.access, ...(props.access ?? [])],
    });
    users.addWebhook(declaration, functionName);
    // The built-in reconcilers and the scheduler write via their own API servers, which call webhooks too.
    const others = [reconcilers, ...(scheduler === undefined ? [] : [scheduler])];
    for (const role of [api.role, ...others.map((one) => one.function.ownRole)])
      users.allow(role, 'lambda:InvokeFunction', this.function.functionArn);
    platform.declare(this.function);
  }
}
