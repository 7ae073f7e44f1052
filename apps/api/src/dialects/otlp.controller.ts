import type { Limits } from '@agentflow/core';
import {
  decodeJsonLogs,
  decodeJsonTraces,
  decodeProtobufLogs,
  decodeProtobufTraces,
  type DecodingLimits,
  type LogsReading,
  type Refusal,
  type TracesReading,
} from '@agentflow/dialects';
import { DomainError, decodeUtf8 } from '@agentflow/domain';
import { Controller, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { RawBody } from '../http/raw-body.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { LIMITS } from '../installation.js';
import {
  OTLP_MEDIA_TYPES,
  exportResponse,
  otlpEncodingOf,
  type OtlpEncoding,
  type PartialSuccess,
  type Signal,
} from './otlp-answers.js';
import { PostReports } from './post-reports.decorator.js';
import { bytesIn, decodingLimitsOf, readable } from './received-body.js';
import { OTLP } from './report-dialects.js';
import { ReportDoors } from './report-doors.js';

/**
 * OTLP over HTTP. Some clients append `v1/traces` to the address that they are given, and some take it as it is; Langfuse's
 * SDKs report in OTLP, too.
 */
@ApiExcludeController()
@Controller()
export class OtlpController {
  constructor(
    private readonly doors: ReportDoors,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  @PostReports('v1/traces', 'rpc-status')
  traces(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('otel/v1/traces', 'rpc-status')
  tracesUnderOtel(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('otel', 'rpc-status')
  tracesAsGiven(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('langfuse/api/public/otel/v1/traces', 'rpc-status')
  tracesOfLangfuse(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeTraces(caller, body, reply);
  }

  @PostReports('v1/logs', 'rpc-status')
  logs(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeLogs(caller, body, reply);
  }

  @PostReports('otel/v1/logs', 'rpc-status')
  logsUnderOtel(
    @CurrentCaller() caller: Caller,
    @RawBody() body: ReceivedBody | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.takeLogs(caller, body, reply);
  }

  @PostReports('v1/metrics', 'rpc-status')
  metrics(@RawBody() body: ReceivedBody | undefined, @Res() reply: FastifyReply): void {
    this.ignoreMetrics(body, reply);
  }

  @PostReports('otel/v1/metrics', 'rpc-status')
  metricsUnderOtel(@RawBody() body: ReceivedBody | undefined, @Res() reply: FastifyReply): void {
    this.ignoreMetrics(body, reply);
  }

  private async takeTraces(
    caller: Caller,
    body: ReceivedBody | undefined,
    reply: FastifyReply,
  ): Promise<void> {
    const encoding = encodingOf(body);
    const taken = await this.doors.admit(caller, OTLP, async () => {
      const bytes = await bytesIn(body, this.limits);
      const { spans, rejected } = readable(readTraces(encoding, bytes, decodingLimitsOf(this.limits)));
      return { records: spans.map((span) => ({ span })), rejected };
    });
    send(reply, encoding, 'traces', partialSuccess(taken.rejected, taken.notKept, taken.dropped));
  }

  /** What was logged within spans about models and evaluations; other logs are not for us. */
  private async takeLogs(caller: Caller, body: ReceivedBody | undefined, reply: FastifyReply): Promise<void> {
    const encoding = encodingOf(body);
    const taken = await this.doors.admit(caller, OTLP, async () => {
      const bytes = await bytesIn(body, this.limits);
      const { records, rejected } = readable(readLogs(encoding, bytes, decodingLimitsOf(this.limits)));
      const told = records.filter(({ eventName }) => eventName.startsWith('gen_ai.'));
      return {
        records: told.map((log) => ({ log })),
        others: records.length - told.length + rejected.length,
      };
    });
    const dropped = taken.others + taken.dropped;
    send(reply, encoding, 'logs', partialSuccess([], taken.notKept, dropped, 'log record'));
  }

  private ignoreMetrics(body: ReceivedBody | undefined, reply: FastifyReply): void {
    const message = 'Metrics are not stored: what they count is counted from the spans.';
    send(reply, encodingOf(body), 'metrics', { rejected: 0, message });
  }
}

/** A request without a body says nothing wrong, in whatever encoding it would have been. */
export function encodingOf(body: ReceivedBody | undefined): OtlpEncoding {
  const encoding = body ? otlpEncodingOf(body.mediaType) : 'json';
  if (encoding) return encoding;
  throw new DomainError('unsupported_media_type', {
    detail: 'Send Content-Type: application/x-protobuf or application/json.',
  });
}

function readTraces(encoding: OtlpEncoding, bytes: Buffer, limits: DecodingLimits): TracesReading {
  if (bytes.length === 0) return { ok: true, spans: [], rejected: [] };
  if (encoding === 'protobuf') return decodeProtobufTraces(bytes, limits);
  const text = decodeUtf8(bytes);
  return text === undefined ? { ok: false, detail: 'it is not UTF-8' } : decodeJsonTraces(text, limits);
}

function readLogs(encoding: OtlpEncoding, bytes: Buffer, limits: DecodingLimits): LogsReading {
  if (bytes.length === 0) return { ok: true, records: [], rejected: [] };
  if (encoding === 'protobuf') return decodeProtobufLogs(bytes, limits);
  const text = decodeUtf8(bytes);
  return text === undefined ? { ok: false, detail: 'it is not UTF-8' } : decodeJsonLogs(text, limits);
}

const MOST_TOLD = 5;

function partialSuccess(
  unreadable: readonly string[],
  refused: readonly Refusal[],
  dropped: number,
  what = 'span',
): PartialSuccess | undefined {
  const rejected = unreadable.length + refused.length;
  const told = [...unreadable, ...refused.map(({ id, detail }) => `${id}: ${detail}`)];
  const sentences = [
    ...(told.length === 0 ? [] : [told.slice(0, MOST_TOLD).join('; ')]),
    ...(told.length > MOST_TOLD ? [`${told.length - MOST_TOLD} more were not kept`] : []),
    ...(dropped === 0 ? [] : [`${dropped} ${what}(s) that say nothing of an agent were left out`]),
  ];
  return sentences.length === 0 ? undefined : { rejected, message: sentences.join('. ') };
}

export function send(
  reply: FastifyReply,
  encoding: OtlpEncoding,
  signal: Signal,
  partial: PartialSuccess | undefined,
): void {
  void reply
    .status(200)
    .type(OTLP_MEDIA_TYPES[encoding])
    .send(exportResponse(encoding, signal, partial));
}
