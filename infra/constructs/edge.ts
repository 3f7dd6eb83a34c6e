import { CfnOutput, Duration, Fn, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  type CfnDistribution,
  CfnTrustStore,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IOrigin,
  type IOriginRequestPolicy,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  SecurityPolicyProtocol,
  SSLMethod,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { defined } from '#lib/machinery/defined.ts';
import type { Context } from '../context.ts';
import { edgeCode } from './edge-routing.ts';

/** The maximum silence in an origin's response that CloudFront accepts without a raised quota. It covers two bookmarks. */
export const ORIGIN_SILENCE = Duration.seconds(60);

/** The header in which CloudFront proves to the API server that a request, and the certificate in its headers, came through CloudFront. */
export const ORIGIN_SECRET_HEADER = 'x-davit-origin';

/** The headers in which CloudFront passes a verified certificate to the origin. */
const CERTIFICATE_HEADERS = ['CloudFront-Viewer-Cert-Present', 'CloudFront-Viewer-Cert-Pem'];

/** A secret that only CloudFront and the API server know. */
export class OriginSecret extends Secret {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      description: 'Davit: what CloudFront proves itself with',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
    });
  }

  get text(): string {
    return this.secretValue.unsafeUnwrap();
  }
}

/** The parts of the stack that the distribution needs. */
export interface EdgeProps {
  readonly context: Context;
  readonly origin: IOrigin;
  /** The only host that the origin accepts. Undefined if it accepts the viewer's host. */
  readonly originHost?: string;
  /** The host of the function that serves only watches. Undefined if the origin serves them. */
  readonly watchHost?: string;
}

/** CloudFront in front of a front door: your own domain, HTTP/2, and client certificates if an authority is configured. */
export class Edge extends Construct {
  readonly endpoint: string;

  constructor(scope: Construct, id: string, { context, origin, originHost, watchHost }: EdgeProps) {
    super(scope, id);
    const { domain, certificate, clientAuthority, webAcl } = context;
    const isRouted = clientAuthority !== undefined || watchHost !== undefined;
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Davit ${context.clusterId}`,
      httpVersion: HttpVersion.HTTP2,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      ...defined({ webAclId: webAcl }),
      ...(domain === undefined || certificate === undefined
        ? {}
        : {
            domainNames: [domain],
            certificate: Certificate.fromCertificateArn(this, 'Certificate', certificate),
            sslSupportMethod: SSLMethod.SNI,
          }),
      defaultBehavior: {
        origin,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        compress: false,
        originRequestPolicy: this.#requestPolicy(clientAuthority !== undefined, originHost !== undefined),
        functionAssociations:
          originHost === undefined || !isRouted
            ? []
            : [{ eventType: FunctionEventType.VIEWER_REQUEST, function: this.#hostOf(originHost, watchHost) }],
      },
    });
    if (clientAuthority !== undefined) this.#verifyClients(distribution, clientAuthority);
    this.endpoint = `https://${domain ?? distribution.distributionDomainName}`;
    if (domain !== undefined) {
      const description = `what ${domain} must be a CNAME of`;
      new CfnOutput(this, 'DomainTarget', { description, value: distribution.distributionDomainName });
    }
  }

  /** Forwards everything that the viewer sent. Adds only those of CloudFront's headers that describe a certificate. */
  #requestPolicy(verifiesClients: boolean, hasHost: boolean): IOriginRequestPolicy {
    if (!verifiesClients) {
      return hasHost ? OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER : OriginRequestPolicy.ALL_VIEWER;
    }
    return new OriginRequestPolicy(this, 'RequestPolicy', {
      comment: 'Davit: all of the request, and the certificate that was verified',
      headerBehavior: OriginRequestHeaderBehavior.all(...CERTIFICATE_HEADERS),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.all(),
    });
  }

  /** Corrects the Host header. A policy that adds headers forwards the viewer's Host, which function URLs reject. */
  #hostOf(host: string, watchHost: string | undefined): EdgeFunction {
    const code = edgeCode({ host: '${host}', ...(watchHost === undefined ? {} : { watchHost: '${watchHost}' }) });
    return new EdgeFunction(this, 'Host', {
      comment: 'Davit: the host that the origin answers under',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(Fn.sub(code, { host, ...defined({ watchHost }) })),
    });
  }

  /** Verifies a client certificate if one is presented. Clients with tokens need none. */
  #verifyClients(distribution: Distribution, path: string): void {
    const asset = new Asset(this, 'ClientAuthority', { path });
    const store = new CfnTrustStore(this, 'TrustStore', {
      name: `${Stack.of(this).stackName}-clients`,
      caCertificatesBundleSource: {
        caCertificatesBundleS3Location: {
          bucket: asset.s3BucketName,
          key: asset.s3ObjectKey,
          region: Stack.of(this).region,
        },
      },
    });
    const resource = distribution.node.defaultChild as CfnDistribution;
    resource.addPropertyOverride('DistributionConfig.ViewerMtlsConfig', {
      Mode: 'optional',
      TrustStoreConfig: { TrustStoreId: store.ref },
    });
  }
}

/** An HTTPS origin with its own host name. It receives the secret, if one exists. */
export function hostOrigin(host: string, secret: OriginSecret | undefined): IOrigin {
  return new HttpOrigin(host, {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    readTimeout: ORIGIN_SILENCE,
    ...secretHeader(secret),
  });
}

/** The custom header with the secret, for a CloudFront origin. */
export const secretHeader = (secret: OriginSecret | undefined): { customHeaders?: Record<string, string> } =>
  secret === undefined ? {} : { customHeaders: { [ORIGIN_SECRET_HEADER]: secret.text } };
