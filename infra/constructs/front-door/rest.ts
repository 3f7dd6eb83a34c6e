import { CfnOutput, Duration } from 'aws-cdk-lib';
import {
  DomainName,
  EndpointType,
  LambdaIntegration,
  type MTLSConfig,
  ResponseTransferMode,
  RestApi,
  type RestApiProps,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { InterfaceVpcEndpoint } from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import type { Context } from '../../context.ts';
import { codeWith } from '../code.ts';
import { PlatformFunction } from '../platform-function.ts';
import { type Door, type DoorProps, limitsOfOneRequest } from './door.ts';

/** The maximum duration of a streamed response in API Gateway, and of an invocation in Lambda. */
const TIMEOUT = Duration.minutes(15);

/** API Gateway's REST API, which streams responses and can require client certificates under your own domain. */
export function restDoor(scope: Construct, { context, environment, access, options }: DoorProps): Door {
  const { domain, clientAuthority, reservedConcurrency, webAcl } = context;
  const apiserver = new PlatformFunction(scope, 'Function', {
    context,
    bundle: codeWith('apiserver-rest', context, options),
    description: 'Davit: the API server behind API Gateway',
    timeout: TIMEOUT,
    memory: context.memory,
    reservedConcurrency,
    environment: { ...environment, ...limitsOfOneRequest(context) },
    access,
  });
  const integration = new LambdaIntegration(apiserver, {
    responseTransferMode: ResponseTransferMode.STREAM,
    timeout: TIMEOUT,
    allowTestInvoke: false,
  });
  // The rate limit of Lambda at this concurrency. Requests that the gateway rejects are not billed, while those that the function rejects
  // are.
  const rate = reservedConcurrency * 10;
  const api = new RestApi(scope, 'Api', {
    description: 'Davit',
    ...reachedBy(scope, context),
    // Protocol buffers are binary.
    binaryMediaTypes: ['*/*'],
    cloudWatchRole: false,
    // A client that bypasses the domain would need no certificate.
    disableExecuteApiEndpoint: clientAuthority !== undefined,
    deployOptions: { stageName: 'davit', throttlingRateLimit: rate, throttlingBurstLimit: rate },
    defaultIntegration: integration,
  });
  api.node.tryRemoveChild('Endpoint'); // CDK's own output, which ignores the domain and the private endpoint
  api.root.addMethod('ANY');
  api.root.addProxy({ anyMethod: true });
  if (domain !== undefined) addDomain(scope, api, context);
  if (webAcl !== undefined)
    new CfnWebACLAssociation(scope, 'WebAcl', { webAclArn: webAcl, resourceArn: api.deploymentStage.stageArn });
  return {
    role: apiserver.ownRole,
    logGroup: apiserver.logGroup,
    endpoint: domain === undefined ? `https://${hostOf(api, context)}/davit` : `https://${domain}`,
    faults: api.metricServerError({ statistic: 'Sum' }),
    throttles: apiserver.metricThrottles(),
  };
}

/** The endpoint and policy of the API. A private API is reachable only from one VPC endpoint, whatever the client's identity. */
function reachedBy(scope: Construct, { vpcEndpoint }: Context): Pick<RestApiProps, 'endpointConfiguration' | 'policy'> {
  if (vpcEndpoint === undefined) return { endpointConfiguration: { types: [EndpointType.REGIONAL] } };
  const given = { vpcEndpointId: vpcEndpoint, port: 443 };
  const through = InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, 'VpcEndpoint', given);
  const anyone = new PolicyStatement({
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
    conditions: { StringEquals: { 'aws:SourceVpce': vpcEndpoint } },
  });
  return {
    endpointConfiguration: { types: [EndpointType.PRIVATE], vpcEndpoints: [through] },
    policy: new PolicyDocument({ statements: [anyone] }),
  };
}

/** The API's host. The host of a private API resolves everywhere, to addresses in the VPC. */
function hostOf({ restApiId, env: { region } }: RestApi, { vpcEndpoint }: Context): string {
  const own = vpcEndpoint === undefined ? restApiId : `${restApiId}-${vpcEndpoint}`;
  return `${own}.execute-api.${region}.amazonaws.com`;
}

function addDomain(scope: Construct, api: RestApi, { domain = '', certificate = '', clientAuthority }: Context): void {
  const name = new DomainName(scope, 'Domain', {
    domainName: domain,
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificate),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
    ...(clientAuthority === undefined ? {} : { mtls: trustStore(scope, clientAuthority) }),
  });
  name.addBasePathMapping(api, { attachToStage: true });
  new CfnOutput(scope, 'DomainTarget', {
    description: `what ${domain} must be a CNAME of`,
    value: name.domainNameAliasDomainName,
  });
}

function trustStore(scope: Construct, path: string): MTLSConfig {
  const asset = new Asset(scope, 'TrustStore', { path });
  return { bucket: Bucket.fromBucketName(scope, 'TrustStoreBucket', asset.s3BucketName), key: asset.s3ObjectKey };
}
