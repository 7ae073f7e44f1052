import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { KeyRing } from './key-ring.js';
import { RouteCatalogue } from './route-catalogue.js';
import { Visibility } from './visibility.js';

/** Who is calling, and what he may do. */
@Global()
@Module({
  imports: [PassportModule, DiscoveryModule],
  providers: [ApiKeyStrategy, KeyRing, Visibility, RouteCatalogue],
  exports: [ApiKeyStrategy, KeyRing, Visibility, RouteCatalogue],
})
export class AccessModule {}
