import { App } from 'aws-cdk-lib';
import { ContextError, parseContext } from './context.ts';
import { PlatformStack } from './platform-stack.ts';

const app = new App();
try {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  const context = parseContext(app.node.getAllContext() as Record<string, unknown>);
  const description = 'Davit, a Kubernetes control plane with no cluster under it';
  // A VPC lookup needs an explicit account and region. Every other stack is deployed to the current ones.
  const env =
    context.vpc === undefined || account === undefined || region === undefined ? {} : { env: { account, region } };
  new PlatformStack(app, 'Davit', context, { description, ...env });
} catch (error) {
  if (!(error instanceof ContextError)) throw error;
  console.error(error.message);
  process.exit(1);
}
