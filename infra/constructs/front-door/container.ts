import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import {
  GatewayVpcEndpointAwsService,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Cluster,
  ContainerImage,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  type ICluster,
  LogDrivers,
} from 'aws-cdk-lib/aws-ecs';
import { ApplicationLoadBalancer, ApplicationProtocol, HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Context } from '../../context.ts';
import { folderWith } from '../code.ts';
import { kubeletEnvironment } from '../kubelet-environment.ts';
import { logEnvironment, logGroupOf, roleOf } from '../platform-function.ts';
import type { Door, DoorProps } from './door.ts';

/** CPU units of a task, a quarter of a vCPU. It serves ten informers and a few requests per second. */
const PROCESSOR = 256;
/** Memory of a task in MB. */
const MEMORY = 512;
const PORT = 8080;

/** A front door in a container behind a load balancer. */
export interface ContainerDoor extends Omit<Door, 'endpoint'> {
  readonly balancer: ApplicationLoadBalancer;
}

/**
 * A container behind a load balancer that only CloudFront can reach, inside the VPC. The VPC has no NAT, so the task has its own public
 * address.
 */
export function containerDoor(scope: Construct, props: DoorProps): ContainerDoor {
  const vpc = vpcOf(scope, props.context);
  const balancer = balancerOf(scope, vpc);
  const listener = balancer.addListener('Http', { port: 80, protocol: ApplicationProtocol.HTTP, open: false });
  const taskGroup = taskGroupOf(scope, vpc, props.context);
  taskGroup.connections.allowFrom(balancer, Port.tcp(PORT), 'requests');
  const logGroup = logGroupOf(scope, 'TaskLog', props.context);
  const taskDefinition = taskOf(scope, props, logGroup);
  const service = new FargateService(scope, 'Service', {
    cluster: new Cluster(scope, 'Cluster', { vpc }) as ICluster,
    taskDefinition,
    desiredCount: 1,
    assignPublicIp: true,
    vpcSubnets: { subnetType: SubnetType.PUBLIC },
    securityGroups: [taskGroup],
    minHealthyPercent: 100,
    circuitBreaker: { rollback: true },
  });
  const targets = listener.addTargets('Apiserver', {
    port: PORT,
    protocol: ApplicationProtocol.HTTP,
    targets: [service],
    healthCheck: { path: '/readyz', interval: Duration.seconds(10), healthyThresholdCount: 2 },
    deregistrationDelay: Duration.seconds(30),
  });
  const faults = targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, { statistic: 'Sum' });
  return { balancer, role: taskDefinition.taskRole, logGroup, faults };
}

function vpcOf(scope: Construct, { vpc }: Context): IVpc {
  if (vpc !== undefined) return Vpc.fromLookup(scope, 'Vpc', { vpcId: vpc });
  // CDK's classes and interfaces differ in which properties may be undefined.
  const made = new Vpc(scope, 'Vpc', {
    maxAzs: 2,
    natGateways: 0,
    subnetConfiguration: [
      { name: 'task', subnetType: SubnetType.PUBLIC, cidrMask: 24 },
      { name: 'balancer', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 24 },
    ],
    restrictDefaultSecurityGroup: false,
    gatewayEndpoints: { table: { service: GatewayVpcEndpointAwsService.DYNAMODB } },
  });
  return made as IVpc;
}

/**
 * The security group of the task. It allows HTTPS to any destination, and every port of nodes and pods if their networks are configured.
 */
function taskGroupOf(scope: Construct, vpc: IVpc, { nodeCidrs }: Context): SecurityGroup {
  const description = 'Davit: the API server';
  const group = new SecurityGroup(scope, 'TaskGroup', { vpc, description, allowAllOutbound: false });
  group.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'the table, its key, STS, webhooks, issuers of tokens');
  for (const cidr of nodeCidrs?.split(',') ?? []) group.addEgressRule(Peer.ipv4(cidr), Port.allTcp(), 'nodes and pods');
  return group;
}

/** The load balancer. CloudFront reaches a private balancer from addresses within the VPC. */
function balancerOf(scope: Construct, vpc: IVpc): ApplicationLoadBalancer {
  const securityGroup = new SecurityGroup(scope, 'BalancerGroup', {
    vpc,
    description: 'Davit: the balancer',
    allowAllOutbound: false,
  });
  securityGroup.addIngressRule(Peer.ipv4(vpc.vpcCidrBlock), Port.tcp(80), 'CloudFront, within the VPC');
  return new ApplicationLoadBalancer(scope, 'Balancer', {
    vpc,
    internetFacing: false,
    securityGroup,
    vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
    // A watch without events is silent for at most 30 s.
    idleTimeout: Duration.seconds(120),
    dropInvalidHeaderFields: true,
  });
}

function taskOf(
  scope: Construct,
  { context, environment, access, options }: DoorProps,
  logGroup: LogGroup,
): FargateTaskDefinition {
  const task = new FargateTaskDefinition(scope, 'Task', {
    cpu: PROCESSOR,
    memoryLimitMiB: MEMORY,
    runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64 },
    taskRole: roleOf(scope, 'TaskRole', { service: 'ecs-tasks', logGroup, access }),
  });
  const folder = folderWith('apiserver-server', context, options);
  copyFileSync(join(import.meta.dirname, 'Dockerfile'), join(folder, 'Dockerfile'));
  task.addContainer('Apiserver', {
    image: ContainerImage.fromAsset(folder, { platform: Platform.LINUX_ARM64 }),
    environment: { ...environment, ...kubeletEnvironment(context), ...logEnvironment(context), PORT: String(PORT) },
    logging: LogDrivers.awsLogs({ streamPrefix: 'apiserver', logGroup }),
    portMappings: [{ containerPort: PORT }],
    readonlyRootFilesystem: true,
    stopTimeout: Duration.seconds(60),
  });
  return task;
}
