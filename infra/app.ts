import { App } from 'aws-cdk-lib';
import { PlatformStack } from './platform-stack.ts';

const app = new App();
new PlatformStack(app, 'Davit', { description: 'Davit, a Kubernetes control plane with no cluster under it' });
