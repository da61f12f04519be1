import Oxbow
import Testing

// The code of docs/guide/coming-from-typhoon.md.

protocol WeatherClient: AnyObject, Sendable {
  var daysToRetrieve: Int { get }
}

@Component final class INWeatherClient: WeatherClient {
  let serviceUrl: String
  let daysToRetrieve: Int

  init(serviceUrl: String, daysToRetrieve: Int) {
    self.serviceUrl = serviceUrl
    self.daysToRetrieve = daysToRetrieve
  }
}

@Component final class CityDao {
  var cities: [String] = []
  weak var report: WeatherReportDao?
  private(set) var isLoaded = false

  func loadCities() { isLoaded = true }
}

@Component final class WeatherReportDao {
  var client: (any WeatherClient)?
  var cityDao: CityDao?
}

@Component("forecast", .objectGraph) final class Forecast {
  @Autowired var client: (any WeatherClient)?
  @Inject var cityDao: CityDao?
}

@Suite struct TyphoonGuideTests {
  private func builder() throws -> ContainerBuilder {
    let document = try #require(try Guide(name: "coming-from-typhoon").texts("xml").first)
    let builder = ContainerBuilder()
    builder.placeholders.environment = [:]
    try builder.load(text: document, file: "WeatherAssembly.xml")
    return builder
  }

  @Test func `an assembly, as it is`() throws {
    let builder = try builder()
    builder.placeholders.set("service.url", "https://weather.example.com")
    let container = try builder.build()
    let dao = try container.object("weatherReportDao", as: WeatherReportDao.self)
    #expect(dao.cityDao?.report === dao)
    #expect(dao.cityDao?.cities == ["Manila", "Sydney"])
    #expect(dao.client?.daysToRetrieve == 5)
    #expect(dao.cityDao?.isLoaded == true)
  }

  @Test func `typhoon_autoWire`() throws {
    let builder = try builder()
    builder.placeholders.set("service.url", "https://weather.example.com")
    let forecast = builder.add(Forecast.self)
    let object = try builder.build().object(forecast)
    #expect(object.client?.daysToRetrieve == 5)
    #expect(object.cityDao != nil)
  }

  @Test func `TyphoonPatcher`() throws {
    let builder = try builder()
    builder.placeholders.set("service.url", "https://weather.example.com")
    let container = try builder.build()
    let patched = try container.patched {
      $0.replace("weatherClient") { INWeatherClient(serviceUrl: "test", daysToRetrieve: 1) }
    }
    let dao = try patched.object("weatherReportDao", as: WeatherReportDao.self)
    #expect(dao.client?.daysToRetrieve == 1)
  }

  @Test func `the same in Swift`() throws {
    let builder = ContainerBuilder()
    let client = builder.singleton(
      named: "weatherClient", INWeatherClient.init(serviceUrl:daysToRetrieve:),
      Ref.value("https://weather.example.com"), Ref.value(5))
    let dao = builder.prototype(in: .objectGraph, WeatherReportDao.init) {
      $0.set(client, named: "client") { $0.client = $1 }
      $0.set(\.cityDao, Ref<CityDao>("cityDao"))
    }
    builder.prototype(named: "cityDao", in: .objectGraph, CityDao.init) {
      $0.set(\.cities, to: ["Manila", "Sydney"])
      $0.set(\.report, dao)
    }
    let object = try builder.build().object(dao)
    #expect(object.cityDao?.report === object)
    #expect(object.client?.daysToRetrieve == 5)
  }
}
