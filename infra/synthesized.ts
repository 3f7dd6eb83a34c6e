import { App } from 'aws-cdk-lib';
import { parseContext } from './context.ts';
import { PlatformStack } from './platform-stack.ts';

/** The stack of a context, without bundles and CDK's own validation. For tests, and for programs that only read the template. */
export function aStack(context: Readonly<Record<string, unknown>> = {}): PlatformStack {
  const admin = 'arn:aws:iam::123456789012:role/Admin';
  const app = new App({ builtinCloudFormationValidation: false });
  return new PlatformStack(app, 'Davit', parseContext({ admin, bundle: false, ...context }));
}
